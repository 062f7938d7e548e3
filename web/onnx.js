/* onnx.js - the tab that runs an ONNX file: its inputs with free extents, what fills them, its
   outputs. The net itself is in worker.js, whose second module is loaded when the tab opens. */
'use strict';

let askOnnx = null, onnxReady = null, opened = null; // opened: { label, inputs, outputs, known }

function openOnnx() {
    if (askOnnx) return;
    askOnnx = makeWorker('onnx');
    $('onnx-words').textContent = 'Loading the reader…';
    onnxReady = askOnnx('load').then(() => { $('onnx-words').textContent = ''; });
    onnxReady.catch((error) => { $('onnx-words').textContent = error.message; });
}

/* `  input "x" float32 (batch, 3, ?)` of nn_write_onnx, for inputs or outputs. */
function valuesOf(summary, role) {
    const found = [];
    for (const match of summary.matchAll(new RegExp(`^  ${role} "(.*)" (\\S+)(?: \\((.*)\\)|, .*)$`, 'gm')))
        found.push({ name: match[1], type: match[2], axes: match[3] ? match[3].split(', ') : [] });
    return found;
}

const isNumber = (axis) => /^\d+$/.test(axis);

async function openFile(file) {
    openOnnx();
    for (const id of ['summary', 'inputs-card', 'outputs-card']) $(id).hidden = true;
    try {
        await onnxReady;
        $('onnx-words').textContent = `Reading ${file.name}…`;
        const summary = await askOnnx('open', { bytes: await file.arrayBuffer() });
        opened = { label: file.name, inputs: valuesOf(summary, 'input'),
                   outputs: valuesOf(summary, 'output'), known: null };
        $('summary-text').textContent = summary;
        $('summary').hidden = false;
        const numbers = /(\d+) tensors with (\d+) numbers/.exec(summary);
        $('onnx-words').textContent = `${file.name}: ${/(\d+) nodes/.exec(summary)?.[1] ?? 0} nodes, ` +
            `${(+(numbers?.[2] ?? 0)).toLocaleString('en')} stored numbers.`;
        showInputs();
        $('inputs-card').hidden = false;
        $('run-words').textContent = '';
    } catch (error) {
        $('onnx-words').textContent = `${file.name} cannot be opened: ${error.message}`;
    }
}

/* ---- inputs ---------------------------------------------------------------------------------- */

const guessOf = (axis, i) => i === 0 || !/height|width|^h$|^w$|\?/i.test(axis) ? 1 : 224;

function shapeCell(input) {
    const cell = document.createElement('td');
    input.fields = [];
    input.axes.forEach((axis, i) => {
        if (i) cell.append(' × ');
        if (isNumber(axis)) {
            cell.append(axis);
            return;
        }
        const label = document.createElement('label'), field = document.createElement('input');
        field.type = 'number', field.min = 1, field.max = 1 << 20, field.value = guessOf(axis, i);
        field.setAttribute('aria-label', `extent of axis ${i} of ${input.name}`);
        if (axis !== '?') label.append(axis);
        label.append(field);
        cell.append(label);
        input.fields.push({ key: axis === '?' ? `${input.name}.${i}` : axis, field });
        field.addEventListener('input', () => { // one name is one number
            for (const other of opened.inputs.flatMap((each) => each.fields))
                if (other.key === axis) other.field.value = field.value;
            opened.known = null;
        });
    });
    if (!input.axes.length) cell.append('a single number');
    return cell;
}

function fillCell(input) {
    const cell = document.createElement('td'), select = document.createElement('select');
    const ways = ['random numbers', 'zeros', 'ones'];
    if (input.axes.length === 4) ways.push('a picture…');
    for (const way of ways) select.add(new Option(way));
    select.setAttribute('aria-label', `what fills ${input.name}`);
    const picker = document.createElement('input');
    picker.type = 'file', picker.accept = 'image/*', picker.hidden = true;
    const words = document.createElement('span');
    words.className = 'note';
    select.addEventListener('change', () => {
        if (select.value === 'a picture…') picker.click();
        else input.picture = null, words.textContent = '';
    });
    picker.addEventListener('change', async () => {
        if (!picker.files[0]) return;
        input.picture = await createImageBitmap(picker.files[0]);
        words.textContent = ` ${picker.files[0].name}, scaled to fit, 0 to 1`;
    });
    input.fill = () => input.picture && select.value === 'a picture…' ? 'picture' : select.value;
    cell.append(select, picker, words);
    return cell;
}

function showInputs() {
    $('inputs').replaceChildren(...opened.inputs.map((input) => {
        const row = document.createElement('tr'), name = document.createElement('th');
        const type = document.createElement('td');
        name.scope = 'row', name.textContent = input.name, type.textContent = input.type;
        row.append(name, type, shapeCell(input), fillCell(input));
        return row;
    }));
}

/* The picture as (N, C, H, W) or (N, H, W, C), whichever has 1 or 3 or 4 channels, values 0 to 1. */
function pictureData(bitmap, shape, data) {
    const last = shape[1] > 4 && shape[3] <= 4;
    const [channels, height, width] = last ? [shape[3], shape[1], shape[2]] : shape.slice(1);
    const canvas = new OffscreenCanvas(width, height), context = canvas.getContext('2d');
    context.drawImage(bitmap, 0, 0, width, height);
    const { data: rgba } = context.getImageData(0, 0, width, height), places = width * height;
    for (let i = 0; i < places; i++)
        for (let c = 0; c < channels; c++) {
            const grey = (rgba[4 * i] + rgba[4 * i + 1] + rgba[4 * i + 2]) / 3;
            const value = (channels < 3 ? grey : rgba[4 * i + Math.min(c, 3)]) / 255;
            data[last ? i * channels + c : c * places + i] = data instanceof Float32Array ? value : value * 255;
        }
}

function dataFor(input, { shape, type, count }) {
    const data = new [Float32Array, Int32Array, Uint8Array][type](count), way = input.fill();
    if (way === 'ones') data.fill(1);
    if (way === 'random numbers')
        for (let i = 0; i < count; i++) data[i] = type === 0 ? 2 * Math.random() - 1 : Math.random() * 2;
    if (way === 'picture') pictureData(input.picture, shape, data);
    return data;
}

/* ---- running --------------------------------------------------------------------------------- */

async function describe() {
    const extents = new Map();
    for (const { fields } of opened.inputs)
        for (const { key, field } of fields) extents.set(key, Math.max(1, Math.round(+field.value) || 1));
    opened.known = await askOnnx('describe', {
        extents: [...extents], inputs: opened.inputs.map(({ name }) => ({ name })),
        outputs: opened.outputs.map(({ name }) => ({ name })) });
}

async function runFile(times) {
    const buttons = [$('run-file'), $('run-ten')];
    for (const button of buttons) button.disabled = true;
    $('run-words').textContent = 'Running…';
    try {
        if (!opened.known) await describe();
        const { inputs, outputs } = opened.known, taken = [];
        const filled = inputs.map((known) => ({ value: known.value,
            data: dataFor(opened.inputs.find(({ name }) => name === known.name), known) }));
        let answer;
        for (let i = 0; i < times; i++) {
            answer = await askOnnx('run', { inputs: filled, outputs });
            taken.push(answer.time);
        }
        const least = Math.min(...taken);
        $('run-words').textContent = times > 1 ? `The fastest of ${times} runs took ${time(least)}.`
                                               : `It took ${time(least)}.`;
        $('outputs').replaceChildren(...outputs.map((output, i) => showOutput(output, answer.results[i])));
        $('outputs-card').hidden = false;
    } catch (error) {
        opened.known = null;
        $('run-words').textContent = '';
        $('outputs-card').hidden = false;
        const words = document.createElement('pre');
        words.textContent = error.message;
        $('outputs').replaceChildren(words);
    }
    for (const button of buttons) button.disabled = false;
}

const time = (ms) => ms < 1 ? `${Math.round(1000 * ms)} µs` : `${ms.toFixed(ms < 10 ? 2 : 1)} ms`;
const short = (value) => Number.isInteger(value) ? String(value) : value.toPrecision(4);

/* The largest values of an output, with their places. */
function largest({ shape }, data) {
    const order = [...data.keys()].sort((a, b) => data[b] - data[a]).slice(0, 5);
    const most = Math.max(...order.map((i) => Math.abs(data[i])), 1e-30);
    const list = document.createElement('ol');
    list.className = 'bars';
    for (const i of order) {
        const item = document.createElement('li'), place = [];
        for (let k = shape.length - 1, rest = i; k >= 0; k--) {
            place.unshift(rest % shape[k]);
            rest = Math.floor(rest / shape[k]);
        }
        item.innerHTML = `<span>[${place.join(', ')}]</span><span><i></i></span><span></span>`;
        item.children[1].firstChild.style.width = `${100 * Math.max(data[i], 0) / most}%`;
        item.children[2].textContent = short(data[i]);
        list.append(item);
    }
    return list;
}

/* The first plane of an output of pictures, from its least value (black) to its largest. */
function plane({ shape }, data, least, most) {
    const [height, width] = shape.slice(-2), canvas = document.createElement('canvas');
    canvas.width = width, canvas.height = height;
    canvas.style.width = `${Math.max(width, Math.min(width * 8, 224))}px`;
    const context = canvas.getContext('2d'), image = context.createImageData(width, height);
    for (let i = 0; i < width * height; i++) {
        image.data.fill(255 * (data[i] - least) / (most - least || 1), 4 * i, 4 * i + 3);
        image.data[4 * i + 3] = 255;
    }
    context.putImageData(image, 0, 0);
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', 'the first plane of the output');
    return canvas;
}

function showOutput(output, data) {
    const part = document.createElement('div'), title = document.createElement('h3');
    const words = document.createElement('p'), extra = document.createElement('span');
    part.className = 'output';
    extra.textContent = ` ${['f32', 'i32', 'u8'][output.type]} (${output.shape.join(' × ')})`;
    title.append(output.name, extra);
    let least = Infinity, most = -Infinity, sum = 0, odd = 0;
    for (const value of data) {
        if (!Number.isFinite(value)) odd++;
        least = Math.min(least, value), most = Math.max(most, value), sum += value;
    }
    words.className = 'note';
    words.textContent = `${data.length.toLocaleString('en')} numbers from ${short(least)} to ${short(most)}, ` +
        `mean ${short(sum / data.length)}${odd ? `; ${odd} are not finite` : ''}. The largest:`;
    part.append(title, words, largest(output, data));
    if (output.shape.length === 4 && output.shape[2] > 3 && output.shape[3] > 3)
        part.append(plane(output, data, least, most));
    return part;
}

/* ---- beginning ------------------------------------------------------------------------------- */

const drop = $('drop');
drop.addEventListener('dragover', () => drop.classList.add('over'));
drop.addEventListener('dragleave', () => drop.classList.remove('over'));
drop.addEventListener('drop', () => drop.classList.remove('over'));
$('choose').addEventListener('click', () => $('file').click());
$('file').addEventListener('change', ({ target }) => {
    if (target.files[0]) openFile(target.files[0]);
    target.value = '';
});
$('run-file').addEventListener('click', () => runFile(1));
$('run-ten').addEventListener('click', () => runFile(10));
