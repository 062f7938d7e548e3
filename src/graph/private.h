/* graph/private.h - the room's headers, by subject. */
#pragma once

#include "graph/fault.h"
#include "graph/node.h"
#include "graph/rule.h"
#include "graph/build.h"
#include "graph/tape.h"
#include "graph/fusion.h"
