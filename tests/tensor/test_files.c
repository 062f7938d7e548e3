/* tests/tensor/test_files.c - arrays and datasets in files: .npy, C headers, IDX pairs, CIFAR-10,
   folders; damaged files, and failures of every disk operation. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "test.h"

#include "memory_files.h"
#include "sim_device.h"
#include "lists.h"

/* NumPy's own bytes (tests/golden/make_npy.py). */
static const char numpy_f4[] =
    "\223NUMPY\001\000v\000{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }             "
    "                                             "
    "\012\077\300\000\000\300\000\000\000@@\000\000@\200\000\000@\240\000\000:\203\022o";
static const char numpy_i8[] =
    "\223NUMPY\001\000v\000{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }               "
    "                                             "
    "\012\001\000\000\000\000\000\000\000\002\000\000\000\000\000\000\000";

static nn_context *open_with(memory_disk *disk) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    memset(disk, 0, sizeof *disk);
    desc.threads = 1;
    desc.files = memory_files(disk);
    return nn_open(&desc);
}

/* Returns the bytes that the context holds once its ledger has its rows. */
static uint64_t live_bytes(nn_context *nn) {
    static float number;
    nn_tensor *tensor = nn_make_tensor(nn, NULL);
    nn_upload_tensor(tensor, &number, sizeof number);
    nn_free_tensor(tensor);
    return nn_context_memory(nn).live_bytes;
}

static void close_all(nn_context *nn, memory_disk *disk) {
    ENSURE(disk->open_files == 0);
    nn_close(nn);
    memory_free(disk);
}

static bool said(nn_context *nn, const char *part) {
    bool found = nn_error(nn) && strstr(nn_error(nn), part);
    if (!found) printf("the error is: %s\n", nn_error(nn) ? nn_error(nn) : "(none)");
    nn_clear_error(nn);
    return found;
}

/* ---- .npy ------------------------------------------------------------------------------------ */

static void test_npy_reads_numpy(void) {
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    nn_tensor *tensor;
    memory_put(&disk, "a/f4.npy", numpy_f4, sizeof numpy_f4 - 1);
    memory_put(&disk, "i8.npy", numpy_i8, sizeof numpy_i8 - 1);
    tensor = nn_load_npy(nn, "a/f4.npy");
    ENSURE(tensor && nn_same_shape(nn_tensor_shape(tensor), NN_SHAPE(2, 3)) &&
           nn_tensor_dtype(tensor) == NN_F32);
    ENSURE_TEXT(nn_tensor_name(tensor), "f4.npy");
    ENSURE(((float *)nn_tensor_data(tensor))[1] == -2.0f &&
           ((float *)nn_tensor_data(tensor))[5] == 1e-3f);
    tensor = nn_load_npy(nn, "i8.npy");
    ENSURE(tensor && nn_tensor_dtype(tensor) == NN_I64 &&
           ((int64_t *)nn_tensor_data(tensor))[1] == 2);
    ENSURE(nn_save_npy(tensor, "i8.npy") == NN_OK); /* and writes what NumPy writes */
    ENSURE(memory_find(&disk, "i8.npy")->size == sizeof numpy_i8 - 1);
    ENSURE(memcmp(memory_find(&disk, "i8.npy")->bytes, numpy_i8, sizeof numpy_i8 - 1) == 0);
    close_all(nn, &disk);
}

static void test_npy_keeps_every_dtype(void) {
    static const nn_dtype dtypes[] = {NN_F32, NN_F16, NN_F64, NN_I8,  NN_I16,
                                      NN_I32, NN_I64, NN_U8,  NN_BOOL};
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        for (int rank = 0; rank <= NN_MAX_RANK; rank++) {
            nn_tensor_desc desc;
            nn_tensor *tensor, *again;
            memset(&desc, 0, sizeof desc);
            desc.dtype = dtypes[i];
            desc.shape.rank = rank;
            for (int j = 0; j < rank; j++) desc.shape.extent[j] = 1 + j;
            tensor = nn_make_tensor(nn, &desc);
            ENSURE(tensor);
            for (uint64_t j = 0; j < nn_tensor_bytes(tensor); j++)
                ((uint8_t *)nn_tensor_data(tensor))[j] = (uint8_t)(j & 1);
            ENSURE(nn_save_npy(tensor, "x") == NN_OK);
            again = nn_load_npy(nn, "x");
            ENSURE(again && nn_tensor_dtype(again) == dtypes[i]);
            ENSURE(nn_same_shape(nn_tensor_shape(again), desc.shape));
            ENSURE(memcmp(nn_tensor_data(again), nn_tensor_data(tensor),
                          (size_t)nn_tensor_bytes(tensor)) == 0);
            nn_free_tensor(again);
            nn_free_tensor(tensor);
        }
    }
    close_all(nn, &disk);
}

static void put_npy(memory_disk *disk, const char *header, size_t numbers) {
    unsigned char bytes[600];
    size_t length = strlen(header);
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, "\x93NUMPY\x01", 7);
    bytes[8] = (unsigned char)length;
    memcpy(bytes + 10, header, length);
    memory_put(disk, "f", bytes, 10 + length + numbers);
}

static void test_npy_refuses(void) {
    static const struct {
        const char *header;
        size_t numbers;
        const char *words;
    } cases[] = {
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }", 16, "Fortran order"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }", 16,
         "its dtype '<c8' cannot be read"},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }", 4,
         "its dtype '<u2' cannot be read"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", 8,
         "fields and records"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 0), }", 0, "an extent of 0"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }", 4,
         "too many extents"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999,), }", 4,
         "too large an extent"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2147483647,2147483647,2147483647), }",
         4, "any memory"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 7,
         "is truncated: (2) f32 needs"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 9, "is too long"},
        {"{'descr': '<f4', 'fortran_order': False}", 4, "its header is not"},
        {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", 4,
         "its header is not"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}", 4, "its header is not"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}", 8, "its header is not"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", 4, "its header is not"},
        {"", 0, "its header is not"},
    };
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_npy(&disk, cases[i].header, cases[i].numbers);
        ENSURE(!nn_load_npy(nn, "f") && said(nn, cases[i].words));
    }
    memory_put(&disk, "f", "\x93NUMPY", 6);
    ENSURE(!nn_load_npy(nn, "f") && said(nn, "not a .npy file"));
    ENSURE(!nn_load_npy(nn, "nothing") && said(nn, "cannot be opened"));
    ENSURE(!nn_load_npy(nn, NULL) && said(nn, "path is NULL"));
    for (size_t size = 0; size < sizeof numpy_f4 - 1; size++) { /* every truncation */
        memory_put(&disk, "f", numpy_f4, size);
        ENSURE(!nn_load_npy(nn, "f"));
        ENSURE(nn_error(nn));
        nn_clear_error(nn);
    }
    close_all(nn, &disk);
}

static void test_npy_saves_from_a_device(void) {
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    sim_desc options;
    sim_device *sim;
    nn_device device;
    nn_tensor_desc desc;
    nn_tensor *there, *here;
    float numbers[3] = {1, 2, 3};
    memset(&options, 0, sizeof options);
    memset(&desc, 0, sizeof desc);
    sim = sim_open(nn, &options, &device);
    ENSURE(sim);
    desc.shape = NN_SHAPE(3);
    desc.device = device;
    there = nn_make_tensor(nn, &desc);
    ENSURE(there && nn_upload_tensor(there, numbers, sizeof numbers) == NN_OK);
    ENSURE(nn_save_npy(there, "x.npy") == NN_OK);
    here = nn_load_npy(nn, "x.npy");
    ENSURE(here && memcmp(nn_tensor_data(here), numbers, sizeof numbers) == 0);
    desc.device = nn_cpu();
    desc.dtype = NN_BF16;
    ENSURE(nn_save_npy(nn_make_tensor(nn, &desc), "y") == NN_ERROR_DTYPE &&
           said(nn, "which NumPy does not have"));
    ENSURE(nn_save_npy(NULL, "y") == NN_ERROR_ARGUMENT);
    ENSURE(nn_save_npy(here, NULL) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    for (disk.fail_at = 1; disk.fail_at < 20; disk.fail_at++) { /* the old file survives */
        disk.operations = 0;
        if (nn_save_npy(here, "x.npy") == NN_OK) break;
        disk.operations = -1000;
        ENSURE(nn_error(nn));
        nn_clear_error(nn);
        ENSURE(nn_load_npy(nn, "x.npy"));
    }
    ENSURE(disk.fail_at > 3 && disk.fail_at < 20);
    disk.fail_at = 0;
    close_all(nn, &disk);
    ENSURE(sim_free(sim) == 0);
}

/* ---- weights as C ---------------------------------------------------------------------------- */

static nn_model *make_net(nn_context *nn, nn_device device, nn_node **x, nn_node **y) {
    nn_model_desc desc;
    nn_linear_desc linear;
    nn_model *net;
    memset(&desc, 0, sizeof desc);
    memset(&linear, 0, sizeof linear);
    desc.device = device;
    desc.seed = 5;
    net = nn_make_model(nn, &desc);
    *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2));
    linear.out_features = 3;
    *y = nn_linear(net, "fc.1", *x, &linear);
    return net;
}

static void run_net(nn_model *net, nn_node *x, nn_node *y, float *scores) {
    static const float input[2] = {0.25f, -3.0f};
    nn_plan_desc desc;
    nn_plan *plan;
    memset(&desc, 0, sizeof desc);
    NODE_AT(desc.outputs, 0) = y;
    plan = nn_make_plan(net, &desc);
    ENSURE(plan && nn_upload(plan, x, input, sizeof input) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, y, scores, 3 * sizeof *scores) == NN_OK);
}

static const float small_weight[6] = {1.0f, -0.1f, 16777216.0f, 1e-30f, 0.333333343f, -2.5e20f},
                   small_bias[3] = {0.0f, -0.0f, 7.0f};
static nn_weights_array small_arrays[3];

static void fill_small_arrays(void) {
    memset(small_arrays, 0, sizeof small_arrays);
    small_arrays[0].name = "fc.1.weight";
    small_arrays[0].dtype = NN_F32;
    small_arrays[0].shape = NN_SHAPE(3, 2);
    small_arrays[0].data = small_weight;
    small_arrays[1].name = "fc.1.bias";
    small_arrays[1].dtype = NN_F32;
    small_arrays[1].shape = NN_SHAPE(3);
    small_arrays[1].data = small_bias;
}

static void test_weights_as_c(void) {
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    nn_node *x, *y;
    nn_model *net = make_net(nn, nn_cpu(), &x, &y);
    char text[2048];
    nn_text out = {text, sizeof text, 0};
    nn_writer writer = {nn_write_text, &out};
    fill_small_arrays();
    ENSURE(nn_use_weights(net, small_arrays, 2, NULL) == NN_OK);
    ENSURE(nn_write_weights(net, "net", writer) == NN_OK);
    ENSURE_TEXT(text,
                "/* Weights of \"model\". Include \"nn.h\" before; give them to a model: "
                "nn_use_weights(net, net, net_count, "
                "&(nn_use_weights_desc){ .in_place = true }) */\n"
                "\n"
                "static const float net_fc_1_weight[6] = {\n"
                "    1.0f, -0.100000001f, 16777216.0f, 1e-30f, 0.333333343f, -2.50000005e+20f,\n"
                "};\n"
                "\n"
                "static const float net_fc_1_bias[3] = {\n"
                "    0.0f, -0.0f, 7.0f,\n"
                "};\n"
                "\n"
                "enum { net_count = 2 };\n"
                "static const nn_weights_array net[net_count] = {\n"
                "    {\"fc.1.weight\", NN_F32, {{3, 2}, 2}, net_fc_1_weight},\n"
                "    {\"fc.1.bias\", NN_F32, {{3}, 1}, net_fc_1_bias},\n"
                "};\n");
    ENSURE(nn_write_weights(net, "7", writer) == NN_ERROR_ARGUMENT &&
           said(nn, "wanted a C identifier"));
    ENSURE(nn_write_weights(net, NULL, writer) == NN_ERROR_ARGUMENT &&
           said(nn, "wanted a C identifier"));
    ENSURE(nn_write_weights(NULL, "net", writer) == NN_ERROR_ARGUMENT);
    {
        float infinite[3] = {0, 0, 0};
        infinite[1] = HUGE_VALF;
        ENSURE(nn_upload_tensor(nn_find_tensor(net, "fc.1.bias"), infinite, sizeof infinite) ==
               NN_OK);
        ENSURE(nn_write_weights(net, "net", writer) == NN_ERROR_NAN &&
               said(nn, "\"fc.1.bias\" holds a number"));
    }
    close_all(nn, &disk);
}

static void test_weights_in_place(void) {
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    nn_node *x, *y;
    nn_model *copied = make_net(nn, nn_cpu(), &x, &y), *placed;
    float expected[3], scores[3];
    uint64_t live;
    fill_small_arrays();
    ENSURE(nn_use_weights(copied, small_arrays, 2, NULL) == NN_OK);
    run_net(copied, x, y, expected);
    placed = make_net(nn, nn_cpu(), &x, &y);
    ENSURE(nn_use_weights(placed, small_arrays, 2, &(nn_use_weights_desc){.in_place = true}) ==
           NN_OK);
    run_net(placed, x, y, scores);
    ENSURE(memcmp(scores, expected, sizeof scores) == 0);
    ENSURE(nn_tensor_const_data(nn_find_tensor(placed, "fc.1.weight")) ==
           small_weight); /* no copy */
    ENSURE(nn_parameter_count(placed) == 0 || nn_parameter_count(placed) == 2);
    ENSURE(nn_use_weights(placed, small_arrays, 2, &(nn_use_weights_desc){.in_place = true}) ==
               NN_ERROR_ARGUMENT &&
           said(nn, "has memory already"));
    live = nn_context_memory(nn).live_bytes;
    nn_free_model(placed);
    ENSURE(nn_context_memory(nn).live_bytes < live);
    close_all(nn, &disk);
}

static void test_weights_that_do_not_fit(void) {
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    nn_node *x, *y;
    nn_model *net = make_net(nn, nn_cpu(), &x, &y);
    float before[3], after[3];
    run_net(net, x, y, before);
    fill_small_arrays();
    small_arrays[0].shape = NN_SHAPE(2, 3);
    small_arrays[1].name = "fc.bias";
    ENSURE(nn_use_weights(net, small_arrays, 2, NULL) == NN_ERROR_SHAPE);
    ENSURE(strstr(nn_error(nn), "the arrays do not fit the model \"model\"; nothing was changed"));
    ENSURE(
        strstr(nn_error(nn),
               "different:  \"fc.1.weight\" is (2, 3) f32 in the arrays, (3, 2) f32 in the model"));
    ENSURE(
        strstr(nn_error(nn), "missing:    \"fc.1.bias\" (3) is in the model, not in the arrays"));
    ENSURE(said(nn, "unexpected: \"fc.bias\" is in the arrays, not in the model"));
    run_net(net, x, y, after);
    ENSURE(memcmp(before, after, sizeof before) == 0);
    small_arrays[0].name = NULL;
    ENSURE(nn_use_weights(net, small_arrays, 2, NULL) == NN_ERROR_ARGUMENT &&
           said(nn, "the name of array 0 is NULL"));
    ENSURE(nn_use_weights(net, NULL, 2, NULL) == NN_ERROR_ARGUMENT && said(nn, "arrays is NULL"));
    ENSURE(nn_use_weights(NULL, small_arrays, 2, NULL) == NN_ERROR_ARGUMENT);
    close_all(nn, &disk);
}

/* Each call of a device fails once while it takes weights. A failure changes nothing until the last
   calls, which copy inside the device. */
static void test_weights_on_a_device(void) {
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    nn_node *x, *y;
    nn_model *net;
    sim_desc options;
    sim_device *sim;
    nn_device device;
    float before[3], after[3], expected[3];
    int64_t start;
    int failed = 0;
    memset(&options, 0, sizeof options);
    sim = sim_open(nn, &options, &device);
    fill_small_arrays();
    net = make_net(nn, nn_cpu(), &x, &y);
    ENSURE(nn_use_weights(net, small_arrays, 2, NULL) == NN_OK);
    run_net(net, x, y, expected);
    net = make_net(nn, device, &x, &y);
    run_net(net, x, y, before);
    ENSURE(nn_use_weights(net, small_arrays, 2, &(nn_use_weights_desc){.in_place = true}) ==
               NN_ERROR_ARGUMENT &&
           said(nn, "has memory already"));
    for (start = 1; start < 40; start++) {
        sim->fail_at = sim->fallible + start;
        sim->fail_count = 1;
        if (nn_use_weights(net, small_arrays, 2, NULL) == NN_OK) break;
        sim->fail_at = 0;
        ENSURE(nn_error(nn));
        nn_clear_error(nn);
        failed++;
        run_net(net, x, y, after);
        if (start <= 6)
            ENSURE(memcmp(before, after, sizeof before) ==
                   0); /* the last ones are copies inside the device */
    }
    sim->fail_at = 0;
    run_net(net, x, y, after);
    ENSURE(failed >= 4 && memcmp(after, expected, sizeof after) == 0);
    close_all(nn, &disk);
    ENSURE(sim_free(sim) == 0);
}

/* ---- data sets ------------------------------------------------------------------------------- */

static void put_idx_pair(memory_disk *disk, unsigned images, unsigned labels) {
    unsigned char a[16 + 3 * 4] = {0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 2},
                             b[8 + 3] = {0, 0, 8, 1, 0, 0, 0, 3, 7, 8, 9};
    for (int i = 0; i < 12; i++) a[16 + i] = (unsigned char)(i * 20);
    a[7] = (unsigned char)images;
    b[7] = (unsigned char)labels;
    memory_put(disk, "images", a, 16 + images * 4);
    memory_put(disk, "labels", b, 8 + labels);
}

static nn_loader *load_all(nn_context *nn, nn_dataset *dataset, int batch) {
    nn_loader_desc desc;
    nn_loader *loader;
    memset(&desc, 0, sizeof desc);
    desc.dataset = dataset;
    desc.batch = batch;
    loader = nn_make_loader(nn, &desc);
    return loader && nn_next_batch(loader) ? loader : NULL;
}

static void test_idx_dataset(void) {
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    nn_dataset *dataset;
    nn_loader *loader;
    uint64_t live = live_bytes(nn);
    put_idx_pair(&disk, 3, 3);
    dataset = nn_make_idx_dataset(nn, "images", "labels");
    ENSURE(dataset && nn_dataset_count(dataset) == 3);
    loader = load_all(nn, dataset, 3);
    ENSURE(loader &&
           nn_same_shape(nn_tensor_shape(nn_batch_tensor(loader, "image")), NN_SHAPE(3, 1, 2, 2)));
    ENSURE_CLOSE(((float *)nn_tensor_data(nn_batch_tensor(loader, "image")))[5], 100.0 / 255, 1e-7);
    ENSURE(((int32_t *)nn_tensor_data(nn_batch_tensor(loader, "label")))[2] == 9);
    nn_free_loader(loader);
    nn_free_dataset(dataset);
    ENSURE(nn_context_memory(nn).live_bytes == live);
    put_idx_pair(&disk, 3, 2);
    ENSURE(!nn_make_idx_dataset(nn, "images", "labels") &&
           said(nn, "\"images\" is (3, 2, 2) u8 and \"labels\" is (2) u8"));
    ENSURE(!nn_make_idx_dataset(nn, "images", "none") && said(nn, "\"none\" cannot be opened"));
    ENSURE(!nn_make_idx_dataset(nn, NULL, "labels") && said(nn, "path is NULL"));
    ENSURE(!nn_make_idx_dataset(NULL, "images", "labels"));
    ENSURE(nn_context_memory(nn).live_bytes == live);
    close_all(nn, &disk);
}

static void put_cifar(memory_disk *disk, const char *name, int first, int records) {
    static unsigned char bytes[3073 * 4];
    for (int i = 0; i < records; i++) {
        memset(bytes + 3073 * i, 10 * (first + i), 3073);
        bytes[3073 * i] = (unsigned char)(first + i);
    }
    memory_put(disk, name, bytes, (size_t)(3073 * records));
}

static void test_cifar10_dataset(void) {
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    nn_dataset *dataset;
    nn_loader *loader;
    char name[32];
    uint64_t live = live_bytes(nn);
    for (int i = 1; i <= 5; i++) {
        sprintf(name, "c/data_batch_%d.bin", i);
        put_cifar(&disk, name, 2 * i - 2, i == 5 ? 2 : 2);
    }
    dataset = nn_make_cifar10_dataset(nn, "c", false);
    ENSURE(dataset && nn_dataset_count(dataset) == 10);
    loader = load_all(nn, dataset, 10);
    ENSURE(loader && nn_same_shape(nn_tensor_shape(nn_batch_tensor(loader, "image")),
                                   NN_SHAPE(10, 3, 32, 32)));
    for (int i = 0; i < 10; i++) {
        ENSURE(((int32_t *)nn_tensor_data(nn_batch_tensor(loader, "label")))[i] == i);
        ENSURE_CLOSE(((float *)nn_tensor_data(nn_batch_tensor(loader, "image")))[i * 3072 + 3071],
                     i * 10 / 255.0, 1e-7);
    }
    nn_free_loader(loader);
    nn_free_dataset(dataset);
    ENSURE(!nn_make_cifar10_dataset(nn, "c", true) &&
           said(nn, "\"c/test_batch.bin\" cannot be opened"));
    put_cifar(&disk, "c/test_batch.bin", 9, 2); /* label 10 */
    ENSURE(!nn_make_cifar10_dataset(nn, "c", true) &&
           said(nn, "record 1 has the label 10; wanted 0 to 9"));
    memory_put(&disk, "c/test_batch.bin", "x", 1);
    ENSURE(!nn_make_cifar10_dataset(nn, "c", true) && said(nn, "wanted a multiple of 3073"));
    ENSURE(!nn_make_cifar10_dataset(nn, NULL, true) && said(nn, "folder is NULL"));
    ENSURE(nn_context_memory(nn).live_bytes == live);
    close_all(nn, &disk);
}

static nn_dataset_desc describe_folder(void) {
    nn_dataset_desc desc;
    memset(&desc, 0, sizeof desc);
    FIELD_AT(desc.fields, 0).name = "x";
    FIELD_AT(desc.fields, 0).shape = NN_SHAPE(3);
    FIELD_AT(desc.fields, 1).name = "y";
    FIELD_AT(desc.fields, 1).dtype = NN_I32;
    FIELD_AT(desc.fields, 1).data_dtype = NN_I16;
    return desc;
}

static void test_folder_dataset(void) {
    static const unsigned char y[4] = {1, 0, 255, 255};
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    nn_dataset_desc desc = describe_folder();
    nn_dataset *dataset;
    nn_loader *loader;
    uint64_t live = live_bytes(nn);
    memory_put(&disk, "d/x.npy", numpy_f4, sizeof numpy_f4 - 1);
    memory_put(&disk, "d/y.bin", y, sizeof y);
    dataset = nn_make_folder_dataset(nn, "d", &desc);
    ENSURE(dataset && nn_dataset_count(dataset) == 2);
    loader = load_all(nn, dataset, 2);
    ENSURE(loader && ((float *)nn_tensor_data(nn_batch_tensor(loader, "x")))[3] == 4.0f);
    ENSURE(((int32_t *)nn_tensor_data(nn_batch_tensor(loader, "y")))[1] == -1);
    nn_free_loader(loader);
    nn_free_dataset(dataset);
    memory_put(&disk, "d/y.bin", y, 2);
    ENSURE(!nn_make_folder_dataset(nn, "d", &desc) &&
           said(nn, "the file of \"y\" has 1 samples; wanted 2"));
    memory_put(&disk, "d/y.bin", y, 3);
    ENSURE(!nn_make_folder_dataset(nn, "d", &desc) && said(nn, "wanted a multiple of 2"));
    memory_delete(memory_find(&disk, "d/y.bin"));
    ENSURE(!nn_make_folder_dataset(nn, "d", &desc) && said(nn, "\"d/y.bin\" cannot be opened"));
    FIELD_AT(desc.fields, 0).shape = NN_SHAPE(4);
    ENSURE(!nn_make_folder_dataset(nn, "d", &desc) &&
           said(nn, "\"d/x.npy\" is (2, 3) f32; field \"x\" wants samples of (4) f32"));
    ENSURE(!nn_make_folder_dataset(nn, NULL, &desc) && said(nn, "folder is NULL"));
    ENSURE(!nn_make_folder_dataset(nn, "d", NULL) && said(nn, "desc is NULL"));
    memset(&desc, 0, sizeof desc);
    ENSURE(!nn_make_folder_dataset(nn, "d", &desc) && nn_error(nn));
    nn_clear_error(nn);
    ENSURE(nn_context_memory(nn).live_bytes == live);
    close_all(nn, &disk);
}

/* Every operation of the disk fails once, from the first to the last: an error each time, and no
   leak. */
static void test_failing_disk(void) {
    memory_disk disk;
    nn_context *nn = open_with(&disk);
    nn_dataset_desc desc = describe_folder();
    uint64_t live = live_bytes(nn);
    int failed = 0;
    static const unsigned char y[4] = {1, 0, 255, 255};
    put_idx_pair(&disk, 3, 3);
    memory_put(&disk, "d/x.npy", numpy_f4, sizeof numpy_f4 - 1);
    memory_put(&disk, "d/y.bin", y, sizeof y);
    put_cifar(&disk, "d/test_batch.bin", 0, 2);
    for (int kind = 0; kind < 3; kind++) {
        nn_dataset *dataset = NULL;
        for (disk.fail_at = 1; disk.fail_at < 60 && !dataset; disk.fail_at++) {
            disk.operations = 0;
            dataset = kind == 0   ? nn_make_idx_dataset(nn, "images", "labels")
                      : kind == 1 ? nn_make_cifar10_dataset(nn, "d", true)
                                  : nn_make_folder_dataset(nn, "d", &desc);
            if (dataset) break;
            ENSURE(nn_error(nn) && disk.open_files == 0 &&
                   nn_context_memory(nn).live_bytes == live);
            nn_clear_error(nn);
            failed++;
        }
        ENSURE(dataset);
        nn_free_dataset(dataset);
        nn_clear_error(nn);
    }
    ENSURE(failed > 10);
    disk.fail_at = 0;
    close_all(nn, &disk);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_npy_reads_numpy);
    RUN(test_npy_keeps_every_dtype);
    RUN(test_npy_refuses);
    RUN(test_npy_saves_from_a_device);
    RUN(test_weights_as_c);
    RUN(test_weights_in_place);
    RUN(test_weights_that_do_not_fit);
    RUN(test_weights_on_a_device);
    RUN(test_idx_dataset);
    RUN(test_cifar10_dataset);
    RUN(test_folder_dataset);
    RUN(test_failing_disk);
    return test_report();
}
