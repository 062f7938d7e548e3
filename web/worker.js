/* worker.js - computes beside the page, so that the page stays quick. The page makes one worker for
   digits (worker.js#digits) and, when its tab opens, one for ONNX files (worker.js#onnx).
   Requests are { id, name, ... } and are answered by { id, answer } or { id, error }. While the
   net learns, the worker also sends { state }. */
'use strict';

let wasm; // the exports of the module
const memory = () => wasm.memory.buffer; // it moves when it grows: ask for it each time
const bytesAt = (at, count) => new Uint8Array(memory(), at, count);
const textAt = (at) => {
    const bytes = new Uint8Array(memory(), at);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
};
const reason = () => textAt(wasm.web_text()).trim() || 'the module gives no reason';
const must = (good) => { if (!good) throw new Error(reason()); };

/* What a module of WASI asks of its host. nn.h uses the clock alone; everything else that the C
   library names is answered by 8, "bad file descriptor". */
function hostOf(module) {
    const host = {};
    const known = {
        clock_time_get(clock, precision, at) {
            const now = BigInt(Math.round(performance.now() * 1e6));
            new DataView(memory()).setBigUint64(at, now, true);
            return 0;
        },
        proc_exit(code) { throw new Error(`the module ended with ${code}`); },
    };
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module))
        if (kind === 'function') (host[from] ??= {})[name] = known[name] ?? (() => 8);
    return host;
}

/* True if the browser has vectors of 128 bits: a module of one function that makes one. */
const hasVectors = () => WebAssembly.validate(new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253,
    15, 253, 98, 11]));
async function load(name) {
    const kind = hasVectors() ? 'vectors' : 'plain';
    if (kind === 'plain' && name === 'onnx')
        throw new Error('ONNX files need a browser with vectors of 128 bits, which this one lacks');
    if (kind === 'plain') name += '-plain';
    const answer = await fetch(`${name}.wasm`);
    if (!answer.ok) throw new Error(`${name}.wasm: the server says ${answer.status}`);
    const module = await WebAssembly.compile(await answer.arrayBuffer());
    wasm = (await WebAssembly.instantiate(module, hostOf(module))).exports;
    wasm._initialize?.();
    return kind;
}

/* Copies bytes into the module while `use` runs. */
function withBytes(bytes, use) {
    const at = wasm.web_room(bytes.byteLength);
    if (!at) throw new Error('there is no memory for the file');
    bytesAt(at, bytes.byteLength).set(
        bytes.buffer ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
                     : new Uint8Array(bytes));
    try { return use(at, bytes.byteLength); } finally { wasm.web_release(at); }
}

/* ---- digits ---------------------------------------------------------------------------------- */

const PIXELS = 784, SLICE = 30 /* ms */, NEWS = 60 /* ms between two states */;
const learning = { running: false, step: 0, busy: 0, losses: [], told: 0, tested: 0, shown: false };
const next = new MessageChannel(); // comes back after the messages that already wait
next.port1.onmessage = () => learn();

function test() {
    const right = wasm.web_test();
    must(right >= 0);
    learning.tested = performance.now();
    const count = wasm.web_test_count();
    return { right, count, step: learning.step,
             guesses: bytesAt(wasm.web_guesses(), count).slice() };
}

function read() {
    const best = wasm.web_read();
    must(best >= 0);
    return { best, scores: new Float32Array(memory(), wasm.web_scores(), 10).slice() };
}

function tell(more) {
    postMessage({ state: { step: learning.step, losses: learning.losses, running: learning.running,
                           rate: learning.busy > 0 ? learning.recent / learning.busy * 1000 : 0,
                           reading: learning.shown ? read() : null, ...more } });
    learning.losses = [];
    learning.told = performance.now();
}

/* Trains for one slice, tells the page, and comes again. */
function learn() {
    if (!learning.running) return;
    try {
        const start = performance.now();
        let now = start;
        while (now < start + SLICE) {
            const loss = wasm.web_step();
            must(!Number.isNaN(loss));
            learning.step++;
            learning.losses.push(loss);
            learning.recent++;
            now = performance.now();
        }
        learning.busy += now - start;
        if (learning.busy > 2000) learning.busy /= 2, learning.recent /= 2;
        if (now - learning.tested > 1000) tell({ test: test() });
        else if (now - learning.told > NEWS) tell();
        next.port2.postMessage(0);
    } catch (error) {
        learning.running = false;
        tell({ error: String(error.message) });
    }
}

const digits = {
    load: () => load('digits'),
    start({ net, optimizer, rate, seed }) {
        must(wasm.web_start(net, optimizer, rate, seed));
        Object.assign(learning, { running: false, step: 0, busy: 0, recent: 0, losses: [] });
        const count = wasm.web_test_count();
        return { pictures: bytesAt(wasm.web_tests(), count * PIXELS).slice(), test: test() };
    },
    run({ on }) {
        const was = learning.running;
        learning.running = on;
        if (on && !was) learn();
        if (!on && was) tell({ test: test() });
    },
    picture({ pixels }) {
        learning.shown = pixels !== null;
        if (!pixels) return null;
        bytesAt(wasm.web_picture(), PIXELS).set(pixels);
        return read();
    },
    draw({ digit, number }) {
        wasm.web_draw(digit, number);
        learning.shown = true;
        return { pixels: bytesAt(wasm.web_picture(), PIXELS).slice(), ...read() };
    },
    teach: ({ label }) => wasm.web_teach(label),
    forget: () => wasm.web_forget(),
    save() {
        const count = wasm.web_save();
        must(count);
        return bytesAt(wasm.web_saved(), count).slice();
    },
    load_weights({ bytes }) {
        must(withBytes(bytes, wasm.web_load));
        return test();
    },
    /* Steps a second over `count` steps without a break: for measurements. */
    measure({ count }) {
        const start = performance.now();
        for (let i = 0; i < count; i++) must(!Number.isNaN(wasm.web_step()));
        return count / (performance.now() - start) * 1000;
    },
};

/* ---- ONNX ------------------------------------------------------------------------------------ */

let held = 0; // the bytes of the open file, which the module reads in place
const arrays = [Float32Array, Int32Array, Uint8Array];

function withText(text, use) {
    return withBytes(new TextEncoder().encode(text + '\0'), use);
}

function valueOf({ name }, isOutput) {
    const value = withText(name, (at) => wasm.web_value(at, isOutput ? 1 : 0));
    if (value < 0) return null;
    const shape = [];
    for (let i = 0; i < wasm.web_rank(value); i++) shape.push(wasm.web_axis(value, i));
    const type = wasm.web_type(value);
    return { name, value, shape, type, count: shape.reduce((a, b) => a * b, 1) };
}

const onnx = {
    load: () => load('onnx'),
    open({ bytes }) {
        const at = wasm.web_room(bytes.byteLength);
        if (!at) throw new Error('there is no memory for the file');
        bytesAt(at, bytes.byteLength).set(new Uint8Array(bytes));
        const good = wasm.web_open(at, bytes.byteLength);
        if (held) wasm.web_release(held);
        held = at;
        must(good);
        return textAt(wasm.web_text());
    },
    describe({ extents, inputs, outputs }) {
        for (const [name, extent] of extents)
            if (!withText(name, (at) => wasm.web_extent(at, extent)))
                throw new Error('the file has too many free extents for this page');
        must(wasm.web_describe());
        const known = { inputs: inputs.map((input) => valueOf(input, false)).filter(Boolean),
                        outputs: outputs.map((output) => valueOf(output, true)).filter(Boolean) };
        must(wasm.web_plan());
        return known;
    },
    run({ inputs, outputs }) {
        for (const { value, data } of inputs)
            must(withBytes(data, (at, size) => wasm.web_upload(value, at, size)));
        const start = performance.now();
        must(wasm.web_run());
        const time = performance.now() - start;
        const results = outputs.map(({ value, type, count }) => {
            const data = new arrays[type](count);
            must(withBytes(data, (at, size) => {
                const good = wasm.web_download(value, at, size);
                new Uint8Array(data.buffer).set(bytesAt(at, size));
                return good;
            }));
            return data;
        });
        return { time, results };
    },
};

/* ---- requests -------------------------------------------------------------------------------- */

const calls = self.location.hash === '#onnx' ? onnx : digits;
self.onmessage = async ({ data }) => {
    try {
        postMessage({ id: data.id, answer: await calls[data.name](data) });
    } catch (error) {
        postMessage({ id: data.id, error: String(error.message) });
    }
};
