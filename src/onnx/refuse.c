/* onnx/refuse.c - says why a file is not supported. */
#include "onnx/mapping.h"

NN__ONNX_PRIVATE bool nn__onnx_add_refusal(nn__onnx_walk *walk, const char *type,
                                           const char *subject, const char *cause,
                                           const char *fix) {
    nn__onnx_refusal *refusal;
    for (refusal = walk->refusals; refusal && *type; refusal = refusal->next) {
        if (strcmp(refusal->type, type) != 0 || strcmp(refusal->cause, cause) != 0) continue;
        refusal->more++;
        walk->refusal_count++;
        return false;
    }
    refusal = (nn__onnx_refusal *)nn__onnx_take(walk->call, walk->arena, sizeof *refusal);
    if (!refusal) return false;
    refusal->type = type;
    refusal->subject = nn__onnx_copy_text(walk->call, walk->arena, subject, strlen(subject));
    refusal->cause = nn__onnx_copy_text(walk->call, walk->arena, cause, strlen(cause));
    refusal->fix = fix ? nn__onnx_copy_text(walk->call, walk->arena, fix, strlen(fix)) : NULL;
    if (!refusal->subject || !refusal->cause) return false;
    *walk->last_refusal = refusal;
    walk->last_refusal = &refusal->next;
    walk->refusal_count++;
    return false;
}

NN__ONNX_PRIVATE bool nn__onnx_refuse(nn__onnx_node *n, const char *fix, const char *cause, ...) {
    nn__onnx_message subject, words;
    va_list arguments;
    if (n->refused) return false;
    n->refused = true;
    memset(&subject, 0, sizeof subject);
    memset(&words, 0, sizeof words);
    if (*n->op->domain) nn__onnx_say(&subject, "%s.", n->op->domain);
    nn__onnx_say(&subject, "%s %q", n->op->type,
                 *n->op->name || n->op->output_count == 0 ? n->op->name : n->op->outputs[0]);
    if (n->opset > 0) nn__onnx_say(&subject, " (opset %d)", (int64_t)n->opset);
    va_start(arguments, cause);
    nn__onnx_say_with(&words, cause, &arguments);
    va_end(arguments);
    return nn__onnx_add_refusal(n->walk, n->op->type, subject.text, words.text, fix);
}

/* ---- operators without a mapping ------------------------------------------------------------- */

/* Operators that no mapping can express. */
static const struct {
    const char *types; /* each begins and ends with a space */
    const char *cause, *fix;
} nn__onnx_foreign[] = {
    {" NonZero Compress Unique NonMaxSuppression ",
     "the shape of its output depends on values that are known only at run time",
     "name the values before it in .outputs, and choose among them after a run"},
    {" Bernoulli Multinomial RandomNormal RandomNormalLike RandomUniform RandomUniformLike ",
     "it draws random numbers from a generator that nn.h does not have",
     "name the values before it in .outputs"},
    {" SequenceAt SequenceConstruct SequenceEmpty SequenceErase SequenceInsert SequenceLength "
     "SequenceMap SplitToSequence ConcatFromSequence Optional OptionalGetElement "
     "OptionalHasElement ",
     "it works on sequences or optional values, which nn.h does not have",
     "name the values before it in .outputs"},
    {" StringConcat StringNormalizer StringSplit RegexFullMatch TfIdfVectorizer ImageDecoder "
     "LabelEncoder CategoryMapper ",
     "it works on text or on compressed images", "do this in C before the net"}};

NN__ONNX_PRIVATE int nn__onnx_foreign_kind(const nn__onnx_op *op) {
    const int count = (int)(sizeof nn__onnx_foreign / sizeof *nn__onnx_foreign);
    nn__onnx_message word;
    memset(&word, 0, sizeof word);
    nn__onnx_say(&word, " %s ", op->type);
    for (int i = 0; i < count && !*op->domain; i++)
        if (strstr(nn__onnx_foreign[i].types, word.text)) return i + 1;
    return 0;
}

NN__ONNX_PRIVATE void nn__onnx_refuse_foreign(nn__onnx_node *n) {
    const nn__onnx_op *op = n->op;
    const int kind = nn__onnx_foreign_kind(op);
    if (kind > 0)
        nn__onnx_refuse(n, nn__onnx_foreign[kind - 1].fix, "%s", nn__onnx_foreign[kind - 1].cause);
    else if (nn__onnx_lookup(op->domain, op->type, n->opset, true))
        nn__onnx_refuse(n, "if it depends on an input, give that input a value in .values",
                        "its operands are not known when the file is read");
    else if (nn__onnx_is_mapped(op->domain, op->type))
        nn__onnx_refuse(n, "convert the file to a newer opset (onnx.version_converter)",
                        "this operator is not supported in the form of opset %d",
                        (int64_t)n->opset);
    else if (strcmp(op->domain, "com.microsoft") == 0)
        nn__onnx_refuse(n, "use the file before optimization",
                        "this operator was written by onnxruntime's optimizer or quantizer");
    else if (strcmp(op->domain, "ai.onnx.ml") == 0)
        nn__onnx_refuse(n, "do this in C before or after the net",
                        "trees, vectors and class tables of ai.onnx.ml are not neural networks");
    else
        nn__onnx_refuse(n, "name the values before it in .outputs", "nn.h has no such operator");
}

/* ---- faults of the trial --------------------------------------------------------------------- */

/* Collects the newest fault of a report: "  2. conv2d", lines of operands, "     cause: ...". */
typedef struct nn__onnx_fault {
    char line[512];
    size_t length;
    nn__onnx_message cause, fix;
} nn__onnx_fault;

static void nn__onnx_fault_line(nn__onnx_fault *fault) {
    const char *line = fault->line;
    fault->line[fault->length] = 0;
    if (fault->length > 3 && line[2] >= '1' && line[2] <= '9') { /* another fault */
        const char *name = strstr(line, ". ");
        memset(&fault->cause, 0, sizeof fault->cause);
        memset(&fault->fix, 0, sizeof fault->fix);
        if (name) {
            char operation[64];
            size_t length = strcspn(name + 2, " \"");
            if (length >= sizeof operation) length = sizeof operation - 1;
            memcpy(operation, name + 2, length);
            operation[length] = 0;
            nn__onnx_say(&fault->cause, "nn_%s: ", operation);
        }
    } else if (strncmp(line, "     cause: ", 12) == 0) {
        nn__onnx_say(&fault->cause, "%s", line + 12);
    } else if (strncmp(line, "     fix:   ", 12) == 0) {
        nn__onnx_say(&fault->fix, "%s", line + 12);
    }
    fault->length = 0;
}

static void nn__onnx_fault_write(void *user, const char *text, size_t length) {
    nn__onnx_fault *fault = (nn__onnx_fault *)user;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            nn__onnx_fault_line(fault);
        else if (fault->length + 1 < sizeof fault->line)
            fault->line[fault->length++] = text[i];
    }
}

/* Refuses a node because of the newest fault of the trial's model. */
NN__ONNX_PRIVATE void nn__onnx_refuse_fault(nn__onnx_node *n) {
    nn__onnx_fault fault;
    nn_writer writer;
    memset(&fault, 0, sizeof fault);
    writer.function = nn__onnx_fault_write;
    writer.user = &fault;
    nn_write_faults(n->net, writer);
    nn__onnx_refuse(n, fault.fix.length > 0 ? fault.fix.text : NULL, "%s",
                    fault.cause.length > 0
                        ? fault.cause.text
                        : "nn.h finds a mistake in it; nn_write_faults says which");
}
