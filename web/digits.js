/* digits.js - the tab on which a net learns digits: controls, curves, the pad, misread digits,
   weights. The net itself is in worker.js. */
'use strict';

/* Starts a worker; ask(name, data) sends it a request and promises the answer. */
function makeWorker(kind, onState) {
    const worker = new Worker(`worker.js#${kind}`), waiting = new Map();
    let count = 0;
    worker.onmessage = ({ data }) => {
        if (data.state) return onState?.(data.state);
        const { resolve, reject } = waiting.get(data.id);
        waiting.delete(data.id);
        if ('error' in data) reject(new Error(data.error)); else resolve(data.answer);
    };
    worker.onerror = (event) => {
        for (const { reject } of waiting.values()) reject(new Error(event.message || 'the worker failed'));
        waiting.clear();
    };
    return (name, data = {}) => new Promise((resolve, reject) => {
        waiting.set(++count, { resolve, reject });
        worker.postMessage({ ...data, id: count, name });
    });
}

const $ = (id) => document.getElementById(id);
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
function fail(error) {
    $('failure').textContent = error.message;
    $('failure').hidden = false;
}
const percent = (part, digits = 1) => `${(100 * part).toFixed(digits)} %`;

/* Draws 28 x 28 grey bytes into a canvas of that size. */
function showPixels(canvas, pixels, from = 0) {
    const context = canvas.getContext('2d'), image = context.createImageData(28, 28);
    for (let i = 0; i < 784; i++) {
        image.data.fill(pixels[from + i], 4 * i, 4 * i + 3);
        image.data[4 * i + 3] = 255;
    }
    context.putImageData(image, 0, 0);
}

/* ---- curves ---------------------------------------------------------------------------------- */

const curves = { losses: [], averages: [], tests: [], least: 1 }; // least: of the averages

/* Prepares a canvas for its size on the screen; returns the context and the frame of the curve. */
function openChart(canvas, last, low, high, marks) {
    const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    canvas.width = width * ratio, canvas.height = height * ratio;
    const context = canvas.getContext('2d');
    context.scale(ratio, ratio);
    const left = 40, bottom = height - 20, top = 8, right = width - 8;
    const x = (step) => left + (right - left) * step / Math.max(last, 1);
    const y = (value) => bottom - (bottom - top) * (value - low) / (high - low);
    context.font = '11px system-ui, sans-serif';
    context.fillStyle = colour('--quiet');
    context.strokeStyle = colour('--line');
    context.lineWidth = 1;
    context.textBaseline = 'middle', context.textAlign = 'right';
    for (const [value, text] of marks) {
        context.beginPath();
        context.moveTo(left, Math.round(y(value)) + 0.5);
        context.lineTo(right, Math.round(y(value)) + 0.5);
        context.stroke();
        context.fillText(text, left - 6, y(value));
    }
    context.textBaseline = 'bottom';
    context.fillText(`${last} steps`, right, height);
    context.textAlign = 'left';
    context.fillText('0', left, height);
    return { context, x, y };
}

function line({ context, x, y }, points) {
    context.strokeStyle = colour('--accent');
    context.lineWidth = 2.2, context.lineJoin = 'round';
    context.beginPath();
    points.forEach(([step, value], i) => context[i ? 'lineTo' : 'moveTo'](x(step), y(value)));
    context.stroke();
}

/* Both curves, over the same steps. */
function drawCurves() {
    const last = Math.max(curves.losses.length, 100), top = Math.log10(4);
    const low = Math.max(-4, Math.min(-1.2, Math.floor(5 * Math.log10(curves.least)) / 5 - 0.4));
    const log = (loss) => Math.min(Math.max(Math.log10(loss), low), top);
    const marks = [2, 1, 0.5, 0.1, 0.01, 0.001].filter((loss) => Math.log10(loss) > low);
    const losses = openChart($('loss-chart'), last, low, top,
                             marks.map((loss) => [Math.log10(loss), loss]));
    losses.context.fillStyle = colour('--dots');
    const every = Math.ceil(curves.losses.length / 1500);
    for (let i = 0; i < curves.losses.length; i += every)
        losses.context.fillRect(losses.x(i) - 1, losses.y(log(curves.losses[i])) - 1, 2, 2);
    line(losses, curves.averages.filter((_, i) => i % every === 0)
                                .map((value, i) => [i * every, log(value)]));
    const tests = openChart($('accuracy-chart'), last, 0, 1,
                            [0, 0.25, 0.5, 0.75, 1].map((part) => [part, percent(part, 0)]));
    line(tests, curves.tests);
}

function addLosses(losses) {
    for (const loss of losses) {
        curves.losses.push(loss);
        const before = curves.averages.at(-1) ?? loss;
        const average = before + (loss - before) / Math.min(curves.losses.length, 25);
        curves.averages.push(average);
        curves.least = Math.min(curves.least, average);
    }
}

/* ---- the net --------------------------------------------------------------------------------- */

let pictures, wanted = false, running = false; // wanted: as the button says; running: what it does
const ask = makeWorker('digits', onState);

function showTest(test) {
    curves.tests.push([test.step, test.right / test.count]);
    $('accuracy').textContent = percent(test.right / test.count);
    const wrong = [...test.guesses].map((guess, i) => [i, guess])
                                   .filter(([i, guess]) => guess !== i % 10);
    $('misread-words').textContent = wrong.length === 0
        ? `None of ${test.count} new digits. Draw one that it cannot read!`
        : `${wrong.length} of ${test.count} digits that it never learns from. Below each: what it is, and what the net takes it for.`;
    $('misread').replaceChildren(...wrong.slice(0, 28).map(([i, guess]) => {
        const item = document.createElement('li'), canvas = document.createElement('canvas');
        canvas.width = canvas.height = 28;
        showPixels(canvas, pictures, 784 * i);
        const taken = document.createElement('b');
        taken.textContent = guess;
        item.append(canvas, `${i % 10} → `, taken);
        item.setAttribute('aria-label', `a ${i % 10}, taken for a ${guess}`);
        return item;
    }));
}

function onState(state) {
    if (state.error) fail(new Error(state.error));
    running = state.running;
    if (state.error) wanted = false;
    $('run').textContent = wanted ? 'Pause' : state.step > 0 ? 'Go on' : 'Start learning';
    addLosses(state.losses);
    $('steps').textContent = state.step.toLocaleString('en');
    if (state.rate > 0) $('speed').textContent = state.rate.toFixed(state.rate < 10 ? 1 : 0);
    if (curves.averages.length) $('loss').textContent = curves.averages.at(-1).toFixed(3);
    if (state.test) showTest(state.test);
    if (state.reading) showReading(state.reading);
    drawCurves();
}

async function restart() {
    wanted = false;
    Object.assign(curves, { losses: [], averages: [], tests: [], least: 1 });
    for (const id of ['speed', 'loss']) $(id).textContent = '–';
    const started = await ask('start', { net: +$('net').value, optimizer: +$('optimizer').value,
                                         rate: +$('rate').value, seed: 1 });
    pictures = started.pictures;
    onState({ step: 0, losses: [], running: false, rate: 0, test: started.test });
    if (seen) showReading(await ask('picture', { pixels: seen }));
}

/* ---- the pad --------------------------------------------------------------------------------- */

let strokes = [], seen = null, examples = 0; // seen: the picture that the net reads

function showReading({ best, scores }) {
    if (!seen) return;
    const words = document.createElement('strong');
    words.textContent = best;
    const sure = scores[best] > 0.9 ? 'The net reads a ' : scores[best] > 0.5 ? 'Probably a ' : 'It guesses a ';
    if ($('reading').textContent !== sure + best) $('reading').replaceChildren(sure, words);
    [...$('bars').children].forEach((item, k) => {
        item.classList.toggle('best', k === best);
        item.children[1].firstChild.style.width = `${100 * scores[k]}%`;
        item.children[2].textContent = percent(scores[k]);
    });
}

function drawPad() {
    const pad = $('pad'), context = pad.getContext('2d');
    context.fillStyle = '#0d1117';
    context.fillRect(0, 0, pad.width, pad.height);
    drawStrokes(context, strokes, 34, 1, 0, 0);
}

function drawStrokes(context, of, width, scale, right, down) {
    context.strokeStyle = '#fff';
    context.lineWidth = width, context.lineCap = context.lineJoin = 'round';
    for (const stroke of of) {
        context.beginPath();
        stroke.forEach(([x, y], i) => context[i ? 'lineTo' : 'moveTo'](x * scale + right, y * scale + down));
        if (stroke.length === 1) context.lineTo(stroke[0][0] * scale + right + 0.01, stroke[0][1] * scale + down);
        context.stroke();
    }
}

/* The strokes as 28 x 28 bytes: centred, as large as the digits that the page draws. */
function picture() {
    const canvas = $('sees'), context = canvas.getContext('2d', { willReadFrequently: true });
    const points = strokes.flat(), xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
    const left = Math.min(...xs), right = Math.max(...xs), top = Math.min(...ys), bottom = Math.max(...ys);
    const scale = Math.min(17 / Math.max(right - left, bottom - top, 60), 0.16);
    context.fillStyle = '#000';
    context.fillRect(0, 0, 28, 28);
    drawStrokes(context, strokes, 2.6, scale, 14 - scale * (left + right) / 2, 14 - scale * (top + bottom) / 2);
    const { data } = context.getImageData(0, 0, 28, 28), pixels = new Uint8Array(784);
    for (let i = 0; i < 784; i++) pixels[i] = data[4 * i];
    return pixels;
}

async function readPad() {
    seen = picture();
    showReading(await ask('picture', { pixels: seen }));
}

function clearPad() {
    strokes = [], seen = null;
    drawPad();
    $('sees').getContext('2d').clearRect(0, 0, 28, 28);
    $('reading').textContent = 'Draw a digit.';
    for (const item of $('bars').children) {
        item.classList.remove('best');
        item.children[1].firstChild.style.width = 0;
        item.children[2].textContent = '';
    }
    ask('picture', { pixels: null });
}

async function drawExample() {
    const digit = Math.floor(Math.random() * 10);
    const { pixels, ...reading } = await ask('draw', { digit, number: examples++ });
    strokes = [], seen = pixels;
    showPixels($('sees'), pixels);
    const context = $('pad').getContext('2d');
    context.imageSmoothingEnabled = false;
    context.drawImage($('sees'), 0, 0, $('pad').width, $('pad').height);
    showReading(reading);
}

function openPad() {
    const pad = $('pad');
    let drawing = null;
    const place = (event) => {
        const box = pad.getBoundingClientRect();
        return [(event.clientX - box.left) * pad.width / box.width,
                (event.clientY - box.top) * pad.height / box.height];
    };
    pad.addEventListener('pointerdown', (event) => {
        pad.setPointerCapture(event.pointerId);
        drawing = [place(event)];
        strokes.push(drawing);
        drawPad();
        event.preventDefault();
    });
    pad.addEventListener('pointermove', (event) => {
        if (!drawing) return;
        for (const part of event.getCoalescedEvents?.() ?? [event]) drawing.push(place(part));
        drawPad();
    });
    for (const end of ['pointerup', 'pointercancel'])
        pad.addEventListener(end, () => {
            if (drawing) readPad().catch(fail);
            drawing = null;
        });
    for (let k = 0; k < 10; k++) {
        const item = document.createElement('li');
        item.innerHTML = `<span>${k}</span><span><i></i></span><span></span>`;
        $('bars').append(item);
        const button = document.createElement('button');
        button.type = 'button', button.textContent = k;
        button.setAttribute('aria-label', `It is a ${k}`);
        button.addEventListener('click', () => teach(k).catch(fail));
        $('teach').append(button);
    }
    drawPad();
}

async function teach(label) {
    if (!seen) {
        $('taught').textContent = 'Draw a digit first.';
        return;
    }
    await ask('picture', { pixels: seen });
    const count = await ask('teach', { label });
    $('taught').textContent = `It learns from ${count} of your digits` +
        (running ? '.' : ', once you let it go on.');
    $('forget').hidden = false;
}

/* ---- weights --------------------------------------------------------------------------------- */

async function save() {
    const bytes = await ask('save'), link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    link.download = 'digits.safetensors';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    $('weights-words').textContent = `Saved ${Math.round(bytes.length / 1024)} KB.`;
}

async function loadWeights(file) {
    try {
        const test = await ask('load_weights', { bytes: new Uint8Array(await file.arrayBuffer()) });
        showTest(test);
        drawCurves();
        if (seen) showReading(await ask('picture', { pixels: seen }));
        $('weights-words').textContent = `Loaded ${file.name}: it reads ${test.right} of ${test.count} new digits.`;
    } catch (error) {
        $('weights-words').textContent = `${file.name} does not fit this net, and nothing was changed: ${error.message}`;
    }
}

/* ---- beginning ------------------------------------------------------------------------------- */

async function openDigits() {
    openPad();
    drawCurves();
    const kind = await ask('load');
    await restart();
    $('machine').textContent += { vectors: ' It computes with vectors of 128 bits.',
                                  plain: ' This browser has no vectors, so it computes number by number.' }[kind];
    for (const id of ['run', 'restart', 'save', 'load']) $(id).disabled = false;
    document.documentElement.dataset.ready = Math.round(performance.now());
}

$('run').addEventListener('click', () => {
    wanted = !wanted;
    $('run').textContent = wanted ? 'Pause' : 'Go on';
    ask('run', { on: wanted }).catch(fail);
});
$('restart').addEventListener('click', () => restart().catch(fail));
for (const id of ['net', 'optimizer', 'rate'])
    $(id).addEventListener('change', () => restart().catch(fail));
$('clear').addEventListener('click', clearPad);
$('draw').addEventListener('click', () => drawExample().catch(fail));
$('forget').addEventListener('click', () => {
    ask('forget');
    $('forget').hidden = true;
    $('taught').textContent = 'It has none of your digits any more.';
});
$('save').addEventListener('click', () => save().catch(fail));
$('load').addEventListener('click', () => $('weights').click());
$('weights').addEventListener('change', ({ target }) => {
    if (target.files[0]) loadWeights(target.files[0]);
    target.value = '';
});
/* A page that nobody looks at does not learn. */
document.addEventListener('visibilitychange', () => {
    if (wanted) ask('run', { on: !document.hidden }).catch(fail);
});
