/* text/tables_read.h - reads the numbers of tables.h one by one. */
#pragma once

#include "text/private.h"
#include "text/tables.h"

typedef struct nn__text_table {
    const char *const *lines;
    const char *at;
} nn__text_table;

/* The signs are those from ! on, without the four that tools/text_tables.py leaves out. */
static NN__TEXT_UNUSED uint32_t nn__text_digit(char sign) {
    return (uint32_t)(sign - '!') - (uint32_t)(sign > '"') - (uint32_t)(sign > '/') -
           (uint32_t)(sign > '?') - (uint32_t)(sign > '\\');
}

static NN__TEXT_UNUSED bool nn__text_more(nn__text_table *table) {
    while (*table->lines && !*table->at) {
        table->lines++;
        table->at = *table->lines ? *table->lines : "";
    }
    return *table->lines != NULL;
}

static NN__TEXT_UNUSED uint32_t nn__text_next(nn__text_table *table) {
    uint32_t value = 0, scale = 1, digit = 45;
    while (digit >= 45 && nn__text_more(table)) {
        digit = nn__text_digit(*table->at++);
        value += (digit >= 45 ? digit - 45 : digit) * scale;
        scale *= 45;
    }
    return value;
}

static NN__TEXT_UNUSED int32_t nn__text_signed(nn__text_table *table) {
    uint32_t value = nn__text_next(table);
    return value & 1 ? -(int32_t)(value / 2) - 1 : (int32_t)(value / 2);
}

static NN__TEXT_UNUSED nn__text_table nn__text_open_table(const char *const *lines) {
    nn__text_table table;
    table.lines = lines;
    table.at = lines[0];
    return table;
}
