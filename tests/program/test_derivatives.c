/* test_derivatives.c: nn__install_derivatives installs every instruction that the derivative of an
   instruction or of a line of ops/table.txt needs, besides those of the program itself. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "inside.h"
#include "test.h"

/* Ensures that the context has every instruction of the program. */
static void runs_on(nn_context *nn, const char *name, const nn_program *program) {
    const nn__cpu *cpu = (const nn__cpu *)nn->cpu;
    for (int i = 0; i < program->count; i++)
        if (test_wrong(program->code[i].code > NN_CODE_CONSTANT &&
                       !cpu->programs.rows[program->code[i].code]))
            test_fail(__FILE__, __LINE__, "the derivative of %s needs %s, which is not installed",
                      name, nn__instruction_name(program->code[i].code, true));
}

/* Differentiates the program with respect to each input and to all of them, in a context that has
   only what the program itself and nn__install_derivatives install. */
static void derivatives_run_on(nn_context *nn, const char *name, const nn_program *program) {
    const unsigned all = (1u << program->input_count) - 1u;
    nn__draft draft;
    nn_instruction code[NN_PROGRAM_LENGTH];
    nn_program made;
    for (unsigned wanted = 1; wanted <= all; wanted++)
        for (int results = 0; results < 2; results++)
            if (nn__program_derive(program, wanted, results, &draft) &&
                nn__draft_finish(&draft, code, &made, NULL, NULL))
                runs_on(nn, name, &made);
}

typedef void (*install)(nn_context *nn);

static nn_context *open_with(install own) {
    nn_context *nn = nn_open(NULL);
    own(nn);
    nn__install_derivatives(nn);
    return nn;
}

static void derivatives_of_every_instruction_are_installed(void) {
    static const install installs[] = {
#define NN__X(upper, lower, text, operands, weight, value) nn__install_code_##lower,
        NN_INSTRUCTIONS(NN__X)
#undef NN__X
    };
    for (int c = NN_CODE_RANDOM + 1; c < NN_INSTRUCTION_COUNT; c++) {
        const int operands = nn__instruction_operands((uint8_t)c);
        nn_instruction code[4];
        nn_program program;
        memset(code, 0, sizeof code);
        memset(&program, 0, sizeof program);
        for (int i = 0; i < operands; i++) code[i].a = (uint8_t)i;
        code[operands].code = (uint8_t)c;
        code[operands].b = 1, code[operands].c = 2;
        program.code = code;
        program.count = program.input_count = (uint8_t)operands;
        program.count++;
        program.output_count = 1;
        program.output[0] = (uint8_t)operands;
        nn_context *nn = open_with(installs[c]);
        derivatives_run_on(nn, nn__instruction_name(c, true), &program);
        nn_close(nn);
    }
}

static void derivatives_of_every_line_are_installed(void) {
    const nn__line *line;
    for (int i = 0; (line = nn__find_line(i)) != NULL; i++) {
        nn_context *nn = open_with(line->install);
        derivatives_run_on(nn, line->rule.name, &line->program);
        if (line->gradient.count) runs_on(nn, line->rule.name, &line->gradient);
        nn_close(nn);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(derivatives_of_every_instruction_are_installed);
    RUN(derivatives_of_every_line_are_installed);
    return test_report();
}
