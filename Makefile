# nn.h is a drop-in: programs copy it and need no make. This file regenerates it from src/ and runs what checks it.
#
#   make             nn.h, nn_more.h, nn_opencl.h, nn_group.h, nn_sequence.h, nn_quantize.h, nn_self_test.h, nn_mpi.h, nn_text.h, nn_onnx.h, nn_audio.h, kernels.cl
#                    from src/
#   make run         the main job: a CNN learns digits (MNIST_DIR=folder: MNIST; NN_DEVICE=name: another device)
#   make frames      a net learns inside the frames of a game (ARGS="--window": shows it, with libsdl2-dev; --save field.ppm)
#   make arena       creatures learn while a game runs (ARGS="--window", "--save arena.ppm", "--frames 600 --check")
#   make web         the page of web/ for any host of static files: a net learns in the browser (docs/web.md)
#   make run-mpi     the same on 4 processes, over MPI (libopenmpi-dev, openmpi-bin)
#   make examples    builds every example into build/examples
#   make test        everything that must hold at each change, with gcc alone; ends with "N passed, M failed, K skipped"
#   make test-parts  the same test programs, built from src/ instead of the drop-ins
#   make test-full   make test, then other machines, sanitizers, valgrind, fuzzing, accuracy on MNIST: hours; piece by piece:
#                    tools/test_full.sh asan:test_bf16_exchange
#   make test-targets  one program on each target that a compiler and an emulator are there for: time, hash, size (ARGS="aarch64 wasm");
#                    for macOS, Windows on ARM and BSD the library, examples and tests are linked (ARGS=link)
#   make check       the rules of the house, in seconds
#   make bench       everything beside the fastest peers, which it fetches into build/bench, and the table of targets
#                    (bench/run.sh names its parts: ARGS="--parts steps --rounds 1")
#   build/bench/bench_kernels   a row for each kernel on each device (make bench builds it)
#   build/bench/bench_group     what sums over ranks cost (mpirun -n 2 before it: over MPI), and a model for 1,024 of them
#   build/bench/bench_devices   what a second device of one process costs, on the same cores
#   build/bench/bench_host      the host's time of a step on OpenCL, on a driver that does nothing
#   build/bench/bench_traffic   launches and bytes of training steps on a GPU, counted without one
#   build/bench/bench_realtime  small nets with a memory in blocks of 64, 16 and 1, and what a run costs beside its arithmetic
#   bench/pytorch_decode.py     GPT-2 token by token beside PyTorch and the time that reading its weights takes
#   bench/bench_text.py         text to ids beside Hugging Face's tokenizers
#   bench/onnx.py               ONNX files beside onnxruntime
#   bench/integers.py           ResNet-18 in 8-bit integers beside onnxruntime and OpenVINO
#   make bench-opencl  every OpenCL device beside the CPU, CLBlast and PyTorch (ARGS=--save keeps the table)
#   make size        what it costs to compile and to link, beside peers, by program, room and feature macro, and on a Cortex-M4
#                    (tools/size.sh names its parts: ARGS="whole programs")
#   make build/tools/onnx2c  turns ONNX files into C source: build/tools/onnx2c vad.onnx > vad.h
#   make build/tools/plan2c  turns ONNX files into plans of constants, for firmware: build/tools/plan2c kws.onnx > kws.h
#   make firmware    the programs of examples/firmware on two emulated boards
#   make arduino     build/arduino/nn, a library for the Arduino IDE
#   make setup-test, setup-full   installs the Debian packages of what test and test-full would otherwise skip
#
# CC, CXX, CFLAGS, CXXFLAGS may be given. No option is needed for speed: instruction sets are chosen at run time.

CC       = cc
CXX      = g++
CFLAGS   = -O2 -g1
CXXFLAGS = -O2 -g
WARNINGS = -Wall -Wextra -Wpedantic -Wconversion -Wshadow
LIBS     = -lm -lpthread
JOBS     = $(shell nproc 2>/dev/null || echo 1)

# make test compiles the optional files with -O1 and the examples that it runs with -O0; what users see is compiled with CFLAGS.
# nn.o is the users': with -O1 it compiles in two thirds of the time, but tests of kernels then take twice as long.
LIB      = build/lib
EX       = build/examples
build/quick/%: private CFLAGS = -O1 -g1
build/quick/examples/%: private CFLAGS = -O0 -g1
build/quick/examples/%: private CXXFLAGS = -O0 -g1

.DEFAULT_GOAL := all
# Their implementations are in the same file as that of nn.h.
MORE     = nn_more.h nn_group.h nn_sequence.h nn_quantize.h nn_self_test.h
DROPINS  = nn.h nn_opencl.h $(MORE) nn_mpi.h nn_text.h nn_onnx.h nn_audio.h kernels.cl
PARTS    = $(foreach folder,src src/* src/*/*,$(wildcard $(folder)/*.h $(folder)/*.c $(folder)/*.cl))
HEADERS  = $(wildcard tests/*/*.h src/kernels/*/reference.h)
# Test programs stand in folders named after the rooms that they test (tests/README.md); their names are unique.
TEST_FILES = $(wildcard tests/*/test_*.c)
TESTS    = $(sort $(basename $(notdir $(TEST_FILES))))
# The names of the test programs whose sources have one of these patterns.
tests_with = $(basename $(notdir $(shell grep -l $(1) $(TEST_FILES))))
EXAMPLES = $(patsubst examples/%,%,$(basename $(sort $(wildcard examples/*.c))))
EXAMPLES_CPP = $(patsubst examples/%,%,$(basename $(wildcard examples/*.cpp)))
BENCHES  = $(patsubst bench/%.c,%,$(wildcard bench/bench_*.c))
# The files of one role in the folders of all kernel families, by the lines of src/kernels/list.h.
FAMILIES = $(patsubst %,build/gen/kernels/%,args.h families.h opencl.c opencl.cl cases.h reference.h \
    cpu.h vector.h cpu.c $(foreach of,more_ sequence_ quantize_,$(addprefix $(of),cpu.h vector.h cpu.c)))
TEXT     = $(FAMILIES) build/gen/opencl/text.h build/gen/ops/table.h build/gen/ops/table.c build/gen/ops/optimizers.c \
    build/gen/kernels/optimizers.h \
    build/gen/base/prefix.h $(OVERLOADS)
# OpenCL's headers are needed for its tests, its library is not: without it they load one at run time.
HASH := \#
OPENCL_HEADER := $(shell echo '$(HASH)include <CL/cl.h>' | $(CC) -E - > /dev/null 2>&1 && echo yes)
# Not -o /dev/null: tcc, run by root, puts a file in its place, into which everything on the machine then writes.
OPENCL_LIBRARY := $(shell mkdir -p build; echo 'int main(void) { return 0; }' | $(CC) -x c - -o build/probe.$$PPID -lOpenCL 2> /dev/null \
    && echo yes; rm -f build/probe.$$PPID)
# Tests that also run on OpenCL devices name this macro.
OPENCL_TESTS = $(sort $(filter test_opencl%,$(TESTS)) $(call tests_with,NN_TEST_OPENCL))
# So do these examples.
DEVICE_EXAMPLES = 02_digits 10_list_devices 14_lstm 18_gan 19_dqn 20_loss 27_frames
OPENCL_EXAMPLES = $(filter 10_list_devices,$(EXAMPLES))
# Two show a window where SDL2 is found, whose headers are not ours to warn about; built again when that changes.
SDL_FLAGS := $(shell pkg-config --cflags --libs sdl2 2> /dev/null)
$(shell mkdir -p build; echo '$(SDL_FLAGS)' | cmp -s - build/sdl || echo '$(SDL_FLAGS)' > build/sdl)
$(EX)/27_frames $(EX)/31_arena: build/sdl
$(EX)/27_frames $(EX)/31_arena: SDL = $(if $(SDL_FLAGS),-DWITH_SDL $(patsubst -I%,-isystem %,$(SDL_FLAGS)))
# MPI's compiler, without which its test says that it is skipped.
MPICC    = $(shell command -v mpicc 2>/dev/null)
MPI_EXAMPLES := $(filter %_mpi_digits,$(EXAMPLES))
EXAMPLES := $(filter-out $(if $(MPICC),,$(MPI_EXAMPLES)),$(EXAMPLES))
HAVE_CXX = $(shell command -v $(CXX) 2>/dev/null)
ifeq ($(OPENCL_HEADER),)
TESTS   := $(filter-out test_opencl%,$(TESTS))
BENCHES := $(filter-out bench_opencl bench_host bench_precision bench_traffic,$(BENCHES))
EXAMPLES := $(filter-out $(OPENCL_EXAMPLES),$(EXAMPLES))
else
build/tests/test_opencl build/tests/test_opencl_calls: build/tests/libopencl_layer.so
$(OPENCL_TESTS:%=build/tests/%): build/quick/nn_opencl.o
$(DEVICE_EXAMPLES:%=$(EX)/%): $(LIB)/nn_opencl.o
$(OPENCL_TESTS:%=build/parts/%): build/parts/nn_opencl.o
build/lib/nn_opencl.o build/quick/nn_opencl.o build/parts/nn_opencl.o: OPENCL = $(if $(OPENCL_LIBRARY),,-DNN_OPENCL_DYNAMIC)
build/parts/test_opencl build/parts/test_opencl_calls: build/parts/libopencl_layer.so
# PoCL reads 10 MB for each context, so most programs have only one. Two are about contexts and their calls.
ifneq ($(OPENCL_LIBRARY),)
$(patsubst %,build/tests/%,$(filter-out test_opencl test_opencl_calls,$(OPENCL_TESTS))): build/tests/opencl_context.o
endif
build/tests/opencl_context.o: tests/support/opencl_context.c build/circumstances | build/tests
	$(CC) -std=c99 $(WARNINGS) -O1 -c -o $@ $<
OPENCL_FLAGS = $(if $(OPENCL_LIBRARY),-lOpenCL -ldl,-DNN_OPENCL_DYNAMIC -ldl)
$(OPENCL_TESTS:%=build/tests/%) $(OPENCL_TESTS:%=build/parts/%): OPENCL = -DNN_TEST_OPENCL $(OPENCL_FLAGS)
$(DEVICE_EXAMPLES:%=$(EX)/%): OPENCL = -DWITH_OPENCL $(OPENCL_FLAGS)
build/bench/bench_opencl build/bench/bench_host build/bench/bench_precision build/bench/bench_traffic: OPENCL = -ldl
build/bench/bench_kernels build/bench/bench_devices: OPENCL = -DWITH_OPENCL -ldl
endif
# The library is compiled once, and tests and examples are linked with it. Those named here are compiled with the
# library inside them, because they choose its macros.
WHOLE    = 03_classify 31_arena test_firmware test_way_of_a_batch
WHOLE_TESTS = $(filter $(WHOLE),$(TESTS))
LINKED_EXAMPLES = $(filter-out $(WHOLE) $(MPI_EXAMPLES),$(EXAMPLES))
# In the library of the tests, private functions are extern ones. These tests call them, by what inside.h declares.
INSIDE   = $(filter test_fuzz_%,$(TESTS)) $(call tests_with,-e '"inside.h"' -e '"text/.*private.h"' -e '"language/.*private.h"' -e '"onnx/.*private.h"')
# To warn of misleading indentation gcc looks up lines, which in a file as long as nn.h takes more time than all the rest
# of its parser. The parts alone are asked (tools/compile_checks.sh).
LONG     = -Wno-misleading-indentation
$(INSIDE:%=build/tests/%.o): FROM = -Isrc -Ibuild/gen
$(INSIDE:%=build/tests/%.o) $(INSIDE:%=build/parts/%.o): INSIDE_FLAGS = -DNN_TEST_LINKED -DNN_PRIVATE=extern
$(INSIDE:%=build/tests/%.o) $(INSIDE:%=build/parts/%.o): build/gen/tests/private.h
# These use nn_text.h, which is compiled once too.
TEXT_TESTS = $(filter $(call tests_with,'"nn_text.h"') \
    $(patsubst tests/fuzz/%.c,test_%,$(shell grep -l '"nn_text.h"' tests/fuzz/fuzz_*.c)),$(TESTS))
TEXT_EXAMPLES = $(patsubst examples/%.c,%,$(shell grep -l nn_text.h examples/*.c))
$(TEXT_TESTS:%=build/tests/%): build/quick/nn_text.o
$(TEXT_EXAMPLES:%=$(EX)/%): $(LIB)/nn_text.o
$(TEXT_TESTS:%=build/parts/%): build/parts/nn_text.o
$(TEXT_TESTS:%=build/tests/%.o) $(TEXT_TESTS:%=build/parts/%.o) $(TEXT_EXAMPLES:%=$(EX)/%): IMPLEMENTED += -DNN_TEXT_IMPLEMENTED
$(TEXT_TESTS:%=build/tests/%.o) $(TEXT_TESTS:%=build/parts/%.o) $(TEXT_EXAMPLES:%=$(EX)/%): nn_text.h
# So is nn_onnx.h.
ONNX_TESTS = $(filter $(call tests_with,'"nn_onnx.h"') \
    $(patsubst tests/fuzz/%.c,test_%,$(shell grep -l '"nn_onnx.h"' tests/fuzz/fuzz_*.c)),$(TESTS))
ONNX_EXAMPLES = $(patsubst examples/%.c,%,$(shell grep -l nn_onnx.h examples/*.c))
$(ONNX_TESTS:%=build/tests/%): build/quick/nn_onnx.o
$(ONNX_EXAMPLES:%=$(EX)/%): $(LIB)/nn_onnx.o
$(ONNX_TESTS:%=build/parts/%): build/parts/nn_onnx.o
$(ONNX_TESTS:%=build/tests/%.o) $(ONNX_TESTS:%=build/parts/%.o) $(ONNX_EXAMPLES:%=$(EX)/%): IMPLEMENTED += -DNN_ONNX_IMPLEMENTED
$(ONNX_TESTS:%=build/tests/%.o) $(ONNX_TESTS:%=build/parts/%.o) $(ONNX_EXAMPLES:%=$(EX)/%): nn_onnx.h
# And nn_audio.h.
AUDIO_TESTS = $(filter $(call tests_with,'"nn_audio.h"') \
    $(patsubst tests/fuzz/%.c,test_%,$(shell grep -l '"nn_audio.h"' tests/fuzz/fuzz_*.c)),$(TESTS))
$(AUDIO_TESTS:%=build/tests/%): build/quick/nn_audio.o
$(AUDIO_TESTS:%=build/parts/%): build/parts/nn_audio.o
$(AUDIO_TESTS:%=build/tests/%.o) $(AUDIO_TESTS:%=build/parts/%.o): IMPLEMENTED += -DNN_AUDIO_IMPLEMENTED
$(AUDIO_TESTS:%=build/tests/%.o) $(AUDIO_TESTS:%=build/parts/%.o): nn_audio.h
# This one traces the functions that it enters, by their addresses. What a batch enters does not depend on the vectors, without
# which the library inside compiles in a third of the time.
# (clang takes a third of gcc's time.)
build/tests/test_way_of_a_batch build/parts/test_way_of_a_batch: TEST_CFLAGS = -O0 -g1 -no-pie -finstrument-functions -DNN_NO_SIMD
build/tests/test_way_of_a_batch build/parts/test_way_of_a_batch: COMPILE_TEST = $(or $(shell command -v clang 2> /dev/null),$(CC)) -std=c99 \
    -w $(TEST_CFLAGS) -Itests/support -Itests
build/tests/test_way_of_a_batch build/parts/test_way_of_a_batch: $(MORE)
# What takes a test's time is in the library; only these have loops of their own that do.
LOOPS    = test_backends test_random_graphs
$(LOOPS:%=build/tests/%.o) $(LOOPS:%=build/parts/%.o): TEST_CFLAGS = -O1 -g1
# tcc compiles the others in a tenth of gcc's time, where it passes tools/test_compiler.c and this is no Windows. A program that
# it refuses is compiled as without it: one that uses the library's own atomics and threads, which tcc lacks, or constants that
# only gcc accepts. So are those that ask for the compiler or run ranks on threads, and those that ask for a line of a call over
# several lines, of which gcc tells the first and tcc the last. (make test-full compiles all by gcc, with warnings.)
QUICK    := $(shell command -v tcc > /dev/null 2>&1 && mkdir -p build/quick.$$PPID && cd build/quick.$$PPID && \
    tcc -g -I../../tests/support -I../../tests -c ../../tools/test_compiler.c -o asks.o 2> /dev/null && \
    library=$$(tcc -print-search-dirs | sed -n 's/^install: //p')/libtcc1.a && [ -f "$$library" ] && \
    $(CC) -Wl,-z,noexecstack -o asks asks.o "$$library" -lm -lpthread 2> /dev/null && ./asks && echo "$$library"; \
    rm -rf ../quick.$$PPID build/quick.$$PPID)
SLOWLY  := $(LOOPS) test_random_gradients test_plan_steps test_train test_mpi \
    $(call tests_with,-e __TINYC__ -e __GNUC__ -e '"rank_')
quick    = $(if $(QUICK),$(if $(filter $(SLOWLY),$(basename $(@F))),,$(1)))
TEST_TCC = tcc -g -w -Itests/support -Itests
TEST_LIBS = $(if $(QUICK),-Wl$(COMMA)-z$(COMMA)noexecstack $(QUICK)) $(LIBS)
COMMA    = ,
COMPILE_TEST = $(CC) -std=c99 $(WARNINGS) $(TEST_CFLAGS) -Itests/support -Itests
TEST_CFLAGS = -O0 -g1
TEST_WITH = $(INSIDE_FLAGS) $(FROM) -I. $(IMPLEMENTED) $(filter -D%,$(OPENCL)) -c -o $@ $(source)
COMPILE  = $(CC) -std=c99 $(WARNINGS) $(CFLAGS)
COMPILE_CPP = $(CXX) -std=c++11 $(WARNINGS) $(CXXFLAGS)
# The main job, whatever number it carries.
DIGITS   = $(patsubst examples/%.c,%,$(firstword $(wildcard examples/digits.c examples/*_digits.c)))

# What was built with another compiler, other flags or without OpenCL's headers is built again: everything compiled
# depends on this file, which is written when the circumstances have changed.
QUOTE := '
CIRCUMSTANCES := $(CC) $(CFLAGS) $(TEST_CFLAGS) | tests: $(QUICK) | $(CXX) $(CXXFLAGS) | OpenCL header: $(OPENCL_HEADER), library: $(OPENCL_LIBRARY) | \
    $(shell $(CC) --version 2>/dev/null | head -n 1)
$(shell mkdir -p build; echo '$(subst $(QUOTE),,$(CIRCUMSTANCES))' > build/circumstances.$$PPID; \
    cmp -s build/circumstances.$$PPID build/circumstances || cp build/circumstances.$$PPID build/circumstances; \
    rm -f build/circumstances.$$PPID)

.PHONY: all run frames arena firmware run-mpi examples test test-parts test-full test-targets check bench bench-opencl size arduino web setup-test \
        setup-full clean \
        build-tests build-parts

all: $(DROPINS)

build build/lib build/quick build/quick/examples build/tests build/parts build/examples build/bench build/tools build/gen/opencl:
	@mkdir -p $@

build/paste: tools/paste.c | build
	$(CC) -std=c99 -O1 -o $@ $<

# The element-wise operations: constant tables and their builders, from the lines of src/ops/table.txt.
build/table: tools/table.c $(wildcard src/program/*) src/kernels/pointwise/program.h | build
	$(CC) -std=c99 -O1 -Isrc -o $@ $< -lm
build/gen/ops/table.%: src/ops/table.txt build/table
	@mkdir -p build/gen/ops
	@build/table $* $< > $@.new
	@mv $@.new $@

# The optimizers: programs and numbers, from the lines of src/ops/optimizers.txt.
build/optimizers: tools/optimizers.c $(wildcard src/program/*) src/kernels/pointwise/program.h | build
	$(CC) -std=c99 -O1 -Isrc -o $@ $< -lm
build/gen/ops/optimizers.c: src/ops/optimizers.txt build/optimizers
	@mkdir -p build/gen/ops
	@build/optimizers c $< > $@.new
	@mv $@.new $@
build/gen/kernels/optimizers.h: src/ops/optimizers.txt build/optimizers
	@mkdir -p build/gen/kernels
	@build/optimizers h $< > $@.new
	@mv $@.new $@

build/speed: tools/speed.c | build
	$(CC) -O1 -o $@ $<
build/families: tools/families.c | build
	$(CC) -std=c99 -O1 -D_DEFAULT_SOURCE -o $@ $<
# A folder is as new as the last file that came into it or left it.
build/gen/kernels/%: src/kernels/list.h build/families src/kernels $(wildcard src/kernels/*/ src/kernels/*/args.h src/kernels/*/cpu*.c)
	@mkdir -p build/gen/kernels
	@build/families $* src/kernels > $@.new
	@cmp -s $@.new $@ && touch $@ && rm $@.new || mv $@.new $@

build/check_sources: tools/check.c | build
	$(CC) -std=c99 -O1 -D_DEFAULT_SOURCE -o $@ $<

# The names of all public functions, for NN_PREFIX, and their overloads for C++; then a call of each.
build/calls: tools/calls.c tools/overloads.h | build
	$(CC) -std=c99 -O1 -o $@ $<
OVERLOADS = $(patsubst %,build/gen/%/overloads.h,base opencl group sequence quantize more mpi text onnx audio)
build/gen/base/prefix.h: build/calls build/paste build/gen/ops/table.h build/gen/ops/table.c \
    build/gen/ops/optimizers.c build/gen/kernels/optimizers.h $(FAMILIES) $(PARTS) tools/calls.sh
	@tools/calls.sh build/gen build/names.h
$(OVERLOADS): build/gen/base/prefix.h
build/gen/tests/every_call.h: build/calls nn.h nn_opencl.h $(MORE)
	@mkdir -p build/gen/tests
	@build/calls all nn.h nn_opencl.h $(MORE) > $@.new
	@mv $@.new $@
build/gen/tests/every_text_call.h: build/calls nn_text.h
	@mkdir -p build/gen/tests
	@build/calls all nn_text.h > $@.new
	@mv $@.new $@
build/gen/tests/overloads.h: build/calls $(filter-out nn_mpi.h kernels.cl,$(DROPINS))
	@mkdir -p build/gen/tests
	@build/calls uses - $(filter %.h,$^) > $@.new
	@mv $@.new $@
build/tests/test_random_shapes.o build/parts/test_random_shapes.o: build/gen/tests/every_text_call.h
build/tests/test_every_call.o build/parts/test_every_call.o build/tests/test_random_shapes.o build/parts/test_random_shapes.o: \
    build/gen/tests/every_call.h

# The golden values of the catalogue: a group for each header that is there.
CATALOGUE = $(sort $(wildcard tests/golden/catalogue/*.h))
build/gen/tests/catalogue.h: $(CATALOGUE) tests/golden/catalogue
	@mkdir -p build/gen/tests
	@{ for header in $(CATALOGUE); do echo "$(HASH)include \"../../../$$header\""; done; \
	   echo '$(HASH)define CATALOGUE_GROUPS $(foreach header,$(CATALOGUE),GROUP($(basename $(notdir $(header)))))'; } > $@
build/tests/test_catalogue.o build/parts/test_catalogue.o: build/gen/tests/catalogue.h

# What tests of text and of its files read besides.
$(foreach folder,tests parts,build/$(folder)/test_text.o build/$(folder)/test_generate.o): tests/golden/text.h tests/golden/sampling.h
$(foreach folder,tests parts,build/$(folder)/test_models.o): tests/golden/models.h
FUZZ = $(filter test_fuzz_%,$(TESTS))
$(FUZZ:%=build/tests/%.o): build/tests/test_%.o: tests/fuzz/%.c
$(FUZZ:%=build/parts/%.o): build/parts/test_%.o: tests/fuzz/%.c
build/bench/bench_text: nn_text.h
build/bench/bench_nanogpt: bench/nanogpt.h
build/bench/bench_infer build/bench/bench_nets build/bench/bench_integers: $(wildcard examples/*.c)
build/bench/bench_integers: nn_onnx.h

# The nets of the examples and the values of PyTorch's.
build/tests/test_onnx2c.o build/parts/test_onnx2c.o: tools/onnx2c.c
build/tests/test_nets.o build/parts/test_nets.o: $(wildcard examples/*.c tests/golden/nets/*.h)

# The kernels as C text, for opencl/program.c.
build/gen/opencl/text.h: src/kernels.cl $(wildcard src/opencl/*.cl src/kernels/*/*.cl) build/gen/kernels/opencl.cl build/paste \
    | build/gen/opencl
	@build/paste -g build/gen -s nn__opencl_text src/kernels.cl > $@.new
	@mv $@.new $@

# These drop-ins leave out the parts that nn.h already has.
$(MORE): AFTER = -a src/nn.h
nn_quantize.h: AFTER = -a src/nn.h -a src/nn_sequence.h
# Rewritten only when the text changed, so that nothing is rebuilt for nothing.
$(DROPINS): %: src/% $(PARTS) $(TEXT) build/paste
	@build/paste -g build/gen $(AFTER) src/$@ > build/$@.new
	@cmp -s build/$@.new $@ || { cp build/$@.new $@; echo "wrote $@"; }
	@rm -f build/$@.new

# build/tests: the drop-ins, as users have them. build/parts: the same from src/.
build/parts/%: FROM = -Isrc -Ibuild/gen
# What the compiler said is kept: tools/compile_checks.sh takes a warning for a failure.
SAID = 2> $(@:.o=.log); status=$$?; cat $(@:.o=.log) >&2; exit $$status
IMPLEMENTED = -DNN_IMPLEMENTED -DNN_OPENCL_IMPLEMENTED

build/lib/nn.o: nn.h $(MORE) packaging/nn_all.h | build/lib
build/lib/nn_opencl.o build/quick/nn_opencl.o: nn.h nn_opencl.h | build/lib build/quick
build/parts/nn.o build/parts/nn_opencl.o: $(PARTS) $(TEXT) packaging/nn_all.h | build/parts
build/quick/nn.o: build/lib/nn.o | build/quick
	@cp build/lib/nn.log build/quick/nn.log && cp $< $@
build/lib/nn.o build/parts/nn.o:
	@printf '$(HASH)define NN_IMPLEMENTATION\n$(HASH)include "packaging/nn_all.h"\n' > $(@:.o=.c)
	$(COMPILE) $(LONG) -DNN_PRIVATE='NN__RARELY extern' $(FROM) -I. -c -o $@ $(@:.o=.c) $(SAID)
build/lib/nn_text.o build/quick/nn_text.o: nn.h nn_sequence.h nn_text.h | build/lib build/quick
build/parts/nn_text.o: $(PARTS) $(TEXT) | build/parts
build/lib/nn_text.o build/quick/nn_text.o build/parts/nn_text.o:
	@printf '$(HASH)define NN_TEXT_IMPLEMENTATION\n$(HASH)include "nn_text.h"\n' > $(@:.o=.c)
	$(COMPILE) $(LONG) -DNN_PRIVATE='NN__RARELY extern' $(FROM) -I. -c -o $@ $(@:.o=.c) $(SAID)
build/lib/nn_onnx.o build/quick/nn_onnx.o: nn.h nn_more.h nn_sequence.h nn_quantize.h nn_onnx.h | build/lib build/quick
build/parts/nn_onnx.o: $(PARTS) $(TEXT) | build/parts
build/lib/nn_onnx.o build/quick/nn_onnx.o build/parts/nn_onnx.o:
	@printf '$(HASH)define NN_ONNX_IMPLEMENTATION\n$(HASH)include "nn_onnx.h"\n' > $(@:.o=.c)
	$(COMPILE) $(LONG) -DNN_PRIVATE='NN__RARELY extern' $(FROM) -I. -c -o $@ $(@:.o=.c) $(SAID)
build/lib/nn_audio.o build/quick/nn_audio.o: nn.h nn_sequence.h nn_audio.h | build/lib build/quick
build/parts/nn_audio.o: $(PARTS) $(TEXT) | build/parts
build/lib/nn_audio.o build/quick/nn_audio.o build/parts/nn_audio.o:
	@printf '$(HASH)define NN_AUDIO_IMPLEMENTATION\n$(HASH)include "nn_audio.h"\n' > $(@:.o=.c)
	$(COMPILE) $(LONG) -DNN_PRIVATE='NN__RARELY extern' $(FROM) -I. -c -o $@ $(@:.o=.c) $(SAID)
build/lib/nn_opencl.o build/quick/nn_opencl.o build/parts/nn_opencl.o:
	@printf '$(HASH)define NN_OPENCL_IMPLEMENTATION\n$(HASH)include "nn_opencl.h"\n' > $(@:.o=.c)
	$(COMPILE) $(LONG) -DNN_PRIVATE='NN__RARELY extern' $(OPENCL) $(FROM) -I. -c -o $@ $(@:.o=.c) $(SAID)

# Each program is made of the file that has its name.
source = $(filter %/$(basename $(@F)).c,$(TEST_FILES))
$(foreach file,$(TEST_FILES),$(foreach folder,tests parts,\
    $(eval build/$(folder)/$(basename $(notdir $(file)))$(if $(filter $(WHOLE),$(basename $(notdir $(file)))),,.o): $(file))))
$(WHOLE_TESTS:%=build/tests/%) $(WHOLE_TESTS:%=build/parts/%):
	$(call quick,$(TEST_TCC) $(FROM) -I. -o $@ $(source) $(LIBS) 2> /dev/null || )$(COMPILE_TEST) $(LONG) $(FROM) -I. -o $@ $(source) $(LIBS) $(OPENCL)
$(WHOLE_TESTS:%=build/tests/%): nn.h nn_opencl.h $(HEADERS) | build/tests
$(WHOLE_TESTS:%=build/parts/%): $(PARTS) $(TEXT) $(HEADERS) | build/parts

build/tests/%.o: nn.h $(MORE) nn_opencl.h $(HEADERS) | build/tests
	$(call quick,$(TEST_TCC) $(TEST_WITH) 2> /dev/null || )$(COMPILE_TEST) $(TEST_WITH)
build/tests/%: build/tests/%.o build/quick/nn.o
	$(CC) -o $@ $(filter %.o,$^) $(TEST_LIBS) $(OPENCL)

build/parts/%.o: $(PARTS) $(TEXT) $(HEADERS) | build/parts
	$(call quick,$(TEST_TCC) $(TEST_WITH) 2> /dev/null || )$(COMPILE_TEST) $(TEST_WITH)
build/parts/%: build/parts/%.o build/parts/nn.o
	$(CC) -o $@ $(filter %.o,$^) $(TEST_LIBS) $(OPENCL)

# Over MPI: the test starts itself again under mpirun.
build/tests/test_mpi.o build/parts/test_mpi.o: tests/mpi/test_mpi.c nn.h nn_group.h nn_mpi.h $(HEADERS) | build/tests build/parts
	$(if $(MPICC),OMPI_CC="$(CC)" MPICH_CC="$(CC)" $(MPICC) -std=c99 $(filter-out -Wpedantic,$(WARNINGS)) -DNN_TEST_MPI,$(COMPILE_TEST)) \
	    $(TEST_CFLAGS) -Itests/support -Itests $(FROM) -I. $(IMPLEMENTED) -c -o $@ $(source)
build/tests/test_mpi build/parts/test_mpi: build/%/test_mpi: build/%/test_mpi.o
	$(if $(MPICC),OMPI_CC="$(CC)" MPICH_CC="$(CC)" $(MPICC),$(CC)) -o $@ $(filter %.o,$^) $(LIBS)
build/tests/test_mpi: build/quick/nn.o
build/parts/test_mpi: build/parts/nn.o

# All headers of src/ but the tests' own: those that declare private functions are among them.
build/gen/tests/private.h: $(PARTS)
	@mkdir -p build/gen/tests
	@{ echo '$(HASH)include "nn_more.h"'; echo '$(HASH)include "nn_sequence.h"'; echo '$(HASH)include "nn_quantize.h"'; echo '$(HASH)include "nn_self_test.h"'; ls src/*/*.h src/*/*/*.h | grep -v -e opencl -e src/mpi -e src/text -e src/language -e reference -e cases \
        -e for_each_set -e '/vector.h' -e cpu/intrinsics; echo IF; \
	   ls src/*/*.h src/*/*/*.h | grep opencl; echo END; } | \
	    sed 's,^src/.*,$(HASH)include "&",; s,"src/,",; s,^IF,$(HASH)ifdef NN_TEST_OPENCL,; s,^END,$(HASH)endif,' > $@

# Counts OpenCL calls and makes one of them fail; tests/opencl/test_opencl.c and test_opencl_calls.c run themselves under it.
build/tests/libopencl_layer.so build/parts/libopencl_layer.so: tests/support/opencl_layer.c | build/tests build/parts
	$(CC) -std=c99 $(WARNINGS) -shared -fPIC -o $@ $<

$(LINKED_EXAMPLES:%=$(EX)/%): $(EX)/%: examples/%.c $(LIB)/nn.o nn.h $(MORE) $(wildcard examples/*.h) | $(EX)
	$(COMPILE) -I. $(IMPLEMENTED) -o $@ $< $(filter %.o,$^) $(LIBS) $(OPENCL) $(SDL)

$(MPI_EXAMPLES:%=$(EX)/%): $(EX)/%: examples/%.c $(LIB)/nn.o nn.h nn_group.h nn_mpi.h examples/draw_digits.h | $(EX)
	OMPI_CC="$(CC)" MPICH_CC="$(CC)" $(MPICC) -std=c99 $(filter-out -Wpedantic,$(WARNINGS)) $(CFLAGS) -I. $(IMPLEMENTED) -o $@ $< $(LIB)/nn.o $(LIBS)

$(EX)/%: examples/%.c nn.h nn_opencl.h $(wildcard examples/*.h) | $(EX)
	$(COMPILE) $(LONG) -Wno-psabi -I. -o $@ $< $(LIBS) $(SDL)

$(EX)/%: examples/%.cpp $(LIB)/nn.o nn.h | $(EX)
	$(COMPILE_CPP) -I. -DNN_IMPLEMENTED -o $@ $< $(LIB)/nn.o $(LIBS)

build/bench/%: bench/%.c nn.h $(MORE) nn_opencl.h $(wildcard bench/*.h) | build/bench
	$(COMPILE) $(LONG) -I. -o $@ $< $(LIBS) $(OPENCL)

build/tools/onnx2c: tools/onnx2c.c build/lib/nn.o build/lib/nn_onnx.o nn.h nn_onnx.h | build/tools
	$(COMPILE) -I. $(IMPLEMENTED) -DNN_ONNX_IMPLEMENTED -o $@ $< $(filter %.o,$^) $(LIBS)

build/tools/plan2c: tools/plan2c.c tools/onnx2c.c nn.h nn_onnx.h | build/tools
	$(COMPILE) -I. -o $@ $< $(LIBS)

build/bench/bench_onnx: bench/bench_onnx.c build/lib/nn.o build/lib/nn_onnx.o nn.h nn_onnx.h | build/bench
	$(COMPILE) $(LONG) -I. $(IMPLEMENTED) -DNN_ONNX_IMPLEMENTED -o $@ $< $(filter %.o,$^) $(LIBS)

# Threads alone where there is no MPI; under mpirun its processes are the ranks.
build/bench/bench_group build/bench/bench_parallel: build/bench/%: bench/%.c nn.h nn_group.h nn_mpi.h | build/bench
	$(if $(MPICC),OMPI_CC="$(CC)" MPICH_CC="$(CC)" $(MPICC) -std=c99 $(filter-out -Wpedantic,$(WARNINGS)) $(CFLAGS) -DWITH_MPI,$(COMPILE)) \
	    $(LONG) -I. -o $@ $< $(LIBS)

LIBRARIES = $(foreach folder,lib parts,build/$(folder)/nn.o build/$(folder)/nn_opencl.o) build/quick/nn_opencl.o
$(LIBRARIES) $(TESTS:%=build/tests/%.o) $(TESTS:%=build/parts/%.o) $(WHOLE_TESTS:%=build/tests/%) $(WHOLE_TESTS:%=build/parts/%) $(EXAMPLES:%=$(EX)/%) \
    $(EXAMPLES_CPP:%=$(EX)/%) $(BENCHES:%=build/bench/%): build/circumstances

run: $(DROPINS) build/examples/$(DIGITS)
	@build/examples/$(DIGITS)

frames: $(DROPINS) build/examples/27_frames
	@build/examples/27_frames $(ARGS)

arena: $(DROPINS) build/examples/31_arena
	@build/examples/31_arena $(ARGS)

firmware: $(DROPINS)
	@CC="$(CC)" examples/firmware/run.sh

# The digits on several processes, over MPI (RANKS=n): Open MPI lets root start them, and more than there are cores, if asked.
RANKS = 4
run-mpi: $(DROPINS) $(MPI_EXAMPLES:%=build/examples/%)
	@OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
	    mpirun -n $(RANKS) build/examples/$(MPI_EXAMPLES)

examples: $(DROPINS) $(EXAMPLES:%=$(EX)/%) $(if $(HAVE_CXX),$(EXAMPLES_CPP:%=$(EX)/%))
	@$(if $(HAVE_CXX),true,echo "skipped the C++ examples: no $(CXX)")

build-tests: $(TESTS:%=build/tests/%)
build-parts: $(TESTS:%=build/parts/%)

# Two runs at once in one checkout build one after the other, the drop-ins too.
ALONE := $(shell command -v flock > /dev/null 2>&1 && echo flock build/lock)
# A program that does not compile counts as a failed test, hence -k and "|| true". Examples with the library inside are
# built by tests/whole/test_examples.sh, which is faster.
test:
	@mkdir -p build/run; start=$$(date +%s); built=$$(mktemp build/run/built.XXXXXX); \
	{ $(ALONE) $(MAKE) --no-print-directory -k -j$(JOBS) EXAMPLES="$(LINKED_EXAMPLES)" LIB=build/quick EX=build/quick/examples all build-tests examples || true; times > $$built; }; \
	CC="$(CC)" CXX="$(CXX)" TEST_START=$$start TEST_BUILD=$$built tools/run_tests.sh --compile --examples $(KEEP_TIMES:%=--keep-times) \
	    $(TESTS:%=build/tests/%); status=$$?; rm -f $$built; exit $$status

test-parts:
	@mkdir -p build
	@$(ALONE) $(MAKE) --no-print-directory -k -j$(JOBS) all build-parts || true
	@CC="$(CC)" CXX="$(CXX)" tools/run_tests.sh $(TESTS:%=build/parts/%)

test-full: test
	@CC="$(CC)" CXX="$(CXX)" tools/test_full.sh

# Portable bytes, target by target.
test-targets: $(DROPINS) build/gen/tests/private.h build/gen/tests/every_call.h build/gen/tests/every_text_call.h build/gen/tests/catalogue.h
	@tools/targets.sh $(ARGS)

check:
	@CC="$(CC)" tools/check.sh

bench: $(DROPINS) $(BENCHES:%=build/bench/%)
	@if [ -x bench/run.sh ]; then bench/run.sh $(ARGS); else \
	    for program in $(BENCHES:%=build/bench/%); do "$$program" || exit 1; done; fi

bench-opencl: $(DROPINS) build/bench/bench_opencl
	@bench/opencl.sh $(ARGS)

size: $(DROPINS)
	@CC="$(CC)" tools/size.sh $(ARGS)

# The Arduino IDE compiles all files below src/ of a library, so that this folder cannot be one.
arduino: $(DROPINS)
	@rm -rf build/arduino/nn && mkdir -p build/arduino/nn/src
	@cp -R packaging/arduino/* LICENSE build/arduino/nn && cp nn.h nn_more.h nn_sequence.h nn_quantize.h build/arduino/nn/src
	@echo "wrote build/arduino/nn"

# The page, by whatever compiles for WebAssembly.
web: $(DROPINS)
	@tools/web.sh

setup-test:
	@tools/setup.sh test

setup-full:
	@tools/setup.sh full

clean:
	rm -rf build
