#include "plan/private.h"
