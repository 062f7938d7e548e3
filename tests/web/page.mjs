/* page.mjs - uses the page of web/ as a visitor would, in Chromium:
       node tests/web/page.mjs FOLDER OUT
   FOLDER: what `make web` has built. OUT: gets screenshots to look at and digits.safetensors.
   CHROMIUM names the browser, NN_ONNX_FILE a file of your own for one more screenshot, NN_STEPS how
   long the net learns, NN_NATIVE tests/web/speed.c compiled for this machine, to compare speeds. Ends with "N passed, M failed, K skipped". */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Browser, serve, sleep } from './browser.mjs';
import { linearFile } from './onnx_file.mjs';

const [folder, out] = process.argv.slice(2).map((path) => resolve(path));
const steps = +(process.env.NN_STEPS ?? 500);
let passed = 0, failed = 0, skipped = 0;
function check(good, what) {
    if (good) passed++;
    else failed++, console.log(`FAIL ${what}`);
}

/* Strokes of digits, in fractions of the pad. */
const digits = {
    0: [[[.5, .2], [.36, .28], [.31, .5], [.36, .72], [.5, .8], [.64, .72], [.69, .5], [.64, .28], [.5, .2]]],
    1: [[[.5, .18], [.5, .82]]],
    7: [[[.3, .22], [.7, .22], [.48, .82]]],
};

async function draw(page, strokes) {
    await page.click('clear');
    for (const stroke of strokes) {
        const fine = stroke.flatMap(([x, y], i) => {
            const [a, b] = stroke[i + 1] ?? [x, y];
            return [0, 1, 2, 3].map((k) => [x + (a - x) * k / 4, y + (b - y) * k / 4]);
        });
        await page.mouse('mousePressed', await page.place('pad', ...fine[0]));
        for (const point of fine) await page.mouse('mouseMoved', await page.place('pad', ...point));
        await page.mouse('mouseReleased', await page.place('pad', ...fine.at(-1)));
    }
    await page.until(`document.querySelector('#bars .best')`, 20);
}

const accuracy = async (page) => parseFloat(await page.text('accuracy'));
const stepsOf = async (page) => +(await page.text('steps')).replaceAll(',', '');

async function learn(page) {
    const before = await accuracy(page);
    await page.click('run');
    check(await page.until(`+document.getElementById('steps').textContent.replaceAll(',', '') >= ${steps}`, 600),
          `${steps} steps are done`);
    await page.click('run');
    await page.until(`document.getElementById('run').textContent === 'Go on'`, 20);
    await sleep(1500); // the last test comes after the last step
    const after = await accuracy(page), loss = parseFloat(await page.text('loss'));
    console.log(`${await stepsOf(page)} steps: from ${before} to ${after} % of new digits, loss ${loss}`);
    check(before < 30 && after > 80, `accuracy rises from ${before} to ${after} %`);
    check(loss < 0.8, `the loss falls to ${loss}`);
    const wrong = await page.value(`document.querySelectorAll('#misread li').length`);
    check(wrong > 0 && wrong <= 28, `${wrong} misread digits are shown`);
}

async function readDrawn(page) {
    for (const [digit, strokes] of Object.entries(digits)) {
        await draw(page, strokes);
        const words = await page.text('reading');
        check(words.endsWith(`a ${digit}`), `a drawn ${digit} is read: "${words}"`);
    }
    await page.value(`document.querySelectorAll('#teach button')[7].click()`);
    check(await page.until(`document.getElementById('taught').textContent.includes('1 of your digits')`, 10),
          'a digit of the visitor is kept');
    await page.click('draw');
    check(await page.until(`document.querySelector('#bars .best')`, 10), 'a digit of the page is read');
}

/* The saved file is read by Python's safetensors, where there is one; and by the page itself, into
   a net that has forgotten everything. */
async function saveAndLoad(page) {
    const path = join(out, 'digits.safetensors'), known = await accuracy(page);
    rmSync(path, { force: true });
    await page.click('save');
    for (let i = 0; i < 100 && !existsSync(path); i++) await sleep(100);
    await sleep(500);
    const bytes = readFileSync(path), header = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE(0))));
    check(header['conv1.weight']?.shape.join() === '16,1,3,3' && header['fc.weight']?.shape.join() === '10,3136',
          'the file has the names and shapes of PyTorch');
    try {
        const names = execFileSync(process.env.PYTHON ?? 'python3', ['-c',
            'import sys, numpy, safetensors.numpy as s; t = s.load_file(sys.argv[1]);' +
            'assert all(numpy.isfinite(v).all() for v in t.values()); print(*sorted(t))', path]);
        check(String(names).trim() === 'conv1.bias conv1.weight fc.bias fc.weight', `Python reads ${names}`);
    } catch (error) {
        if (!/No module named|ENOENT/.test(String(error.stderr ?? error))) throw error;
        skipped++;
        console.log('SKIP Python has no safetensors (PYTHON names another one)');
    }
    await page.value('restart()');
    check(await accuracy(page) < 30, 'a new net knows nothing');
    await page.setFile('weights', path);
    check(await page.until(`document.getElementById('weights-words').textContent.startsWith('Loaded')`, 20) &&
          await accuracy(page) === known, `the loaded net reads ${await accuracy(page)} % as the saved one, ${known} %`);
    writeFileSync(join(out, 'broken.safetensors'), bytes.subarray(0, 1000));
    await page.setFile('weights', join(out, 'broken.safetensors'));
    check(await page.until(`document.getElementById('weights-words').textContent.includes('nothing was changed')`, 20) &&
          await accuracy(page) === known, 'a damaged file is refused and changes nothing');
}

async function runOnnx(page) {
    const path = join(out, 'linear.onnx');
    writeFileSync(path, linearFile());
    await page.click('tab-onnx');
    await page.drop('drop', path);
    check(await page.until(`!document.getElementById('inputs-card').hidden`, 60), `a dropped file opens: ${await page.text('onnx-words')}`);
    const row = await page.text('inputs');
    check(row.includes('x') && row.includes('float32') && row.includes('batch'), `its input is listed: ${row}`);
    await page.value(`(() => { const s = document.querySelector('#inputs select'); s.value = 'ones';
        s.dispatchEvent(new Event('change')); })()`);
    await page.click('run-file');
    check(await page.until(`!document.getElementById('outputs-card').hidden`, 60), 'it runs');
    const answer = await page.text('outputs');
    check(answer.includes('y f32 (1 × 2)') && answer.includes('9.5') && answer.includes('-8'), `y is 9.5 and -8: ${answer}`);
    check(/took [\d.]+ (µs|ms)/.test(await page.text('run-words')), `its time: ${await page.text('run-words')}`);
    writeFileSync(join(out, 'broken.onnx'), linearFile().subarray(0, 60));
    await page.setFile('file', join(out, 'broken.onnx'));
    check(await page.until(`document.getElementById('onnx-words').textContent.includes('cannot be opened: ')`, 20),
          `a damaged file is refused: ${await page.text('onnx-words')}`);
    const own = process.env.NN_ONNX_FILE;
    if (!own) return;
    await page.setFile('file', resolve(own));
    await page.until(`!document.getElementById('inputs-card').hidden`, 60);
    await page.value(`document.getElementById('summary').open = true`);
    await page.click('run-ten');
    await page.until(`!document.getElementById('outputs-card').hidden`, 300);
    console.log(`${basename(own)}: ${await page.text('run-words')}`);
    await page.shot(join(out, 'onnx-own.png'));
}

/* Sizes, the time until the page is ready, steps a second. */
async function measure(page) {
    for (const name of ['digits', 'digits-plain', 'onnx'].filter((name) => existsSync(join(folder, `${name}.wasm`)))) {
        const file = readFileSync(join(folder, `${name}.wasm`)), packed = gzipSync(file, { level: 9 }).length;
        console.log(`${name}.wasm: ${file.length} bytes, ${packed} with gzip`);
        if (name.startsWith('digits')) check(packed <= 250 * 1024, `${name}.wasm has at most 250 KB with gzip: ${packed}`);
    }
    console.log(`ready ${await page.value('+document.documentElement.dataset.ready')} ms after the first byte`);
    const native = process.env.NN_NATIVE;
    for (const net of [0, 1, 2]) {
        await page.value(`ask('start', { net: ${net}, optimizer: 1, rate: 0.001, seed: 1 })`);
        await page.value(`ask('measure', { count: 40 })`);
        let here = 0, there = 0, set = '';
        for (let i = 0; i < 4; i++) { // in turns, so that other work on the machine meets both
            const before = page.workerSeconds();
            const rate = await page.value(`ask('measure', { count: 60 })`);
            const seconds = page.workerSeconds() - before; // other programs do not count here
            here = Math.max(here, seconds > 0.2 ? 60 / seconds : rate);
            if (!native) continue;
            const [other, name] = String(execFileSync(native, [net])).trim().split(' ');
            there = Math.max(there, +other), set = name;
        }
        console.log(`net ${net}: ${here.toFixed(1)} steps a second in the browser` + (native
            ? `, ${there.toFixed(1)} compiled for this machine (${set}): ${(here / there).toFixed(2)}` : ''));
    }
}

mkdirSync(out, { recursive: true });
const server = await serve(folder), page = new Browser(process.env.CHROMIUM ?? 'chromium', out);
try {
    await page.open(1200, 900);
    await page.dark(false);
    await page.send('Page.navigate', { url: server.url });
    check(await page.until(`document.documentElement?.dataset.ready`, 120), 'the page is ready within two minutes');
    await learn(page);
    await readDrawn(page);
    await draw(page, digits[7]);
    await page.shot(join(out, 'digits-light.png'));
    await page.dark(true);
    await sleep(300);
    await page.shot(join(out, 'digits-dark.png'));
    await page.size(390, 844);
    await sleep(500);
    check(await page.value('document.documentElement.scrollWidth <= 390'), 'nothing is wider than a phone');
    await page.shot(join(out, 'digits-phone.png'));
    await page.dark(false);
    await page.size(1200, 900);
    await saveAndLoad(page);
    await runOnnx(page);
    await page.shot(join(out, 'onnx.png'));
    await measure(page);
    check(page.said.length === 0, `the page says nothing to its console: ${page.said.join('; ')}`);
} catch (error) {
    failed++;
    console.log(`FAIL ${error.stack}`);
    await page.shot(join(out, 'failure.png')).catch(() => {});
    if (page.said.length) console.log(page.said.join('\n'));
}
await page.close();
server.close();
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed ? 1 : 0);
