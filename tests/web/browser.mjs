/* browser.mjs - a Chromium without a window, driven over a pipe by the DevTools protocol, and a
   server of static files for it. Nothing but node is needed. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/* Serves the files of a folder as the plainest host would: no header but the type. Returns { url,
   close }. */
export async function serve(folder) {
    const server = createServer((request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
        try {
            const bytes = readFileSync(join(folder, path === '/' ? 'index.html' : path));
            response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/html' });
            response.end(bytes);
        } catch {
            response.writeHead(404);
            response.end();
        }
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Browser {
    constructor(program, downloads) {
        this.profile = mkdtempSync(join(tmpdir(), 'nn-web-'));
        this.downloads = downloads;
        this.process = spawn(program, ['--headless=new', '--no-sandbox', '--disable-gpu',
            '--remote-debugging-pipe', '--no-first-run', '--hide-scrollbars',
            `--user-data-dir=${this.profile}`], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
        this.waiting = new Map();
        this.said = []; // what the page wrote to its console, and its exceptions
        this.count = 0;
        let text = '';
        this.process.stdio[4].on('data', (data) => {
            const parts = (text + data).split('\0');
            text = parts.pop();
            for (const part of parts) this.hear(JSON.parse(part));
        });
    }
    hear({ id, result, error, method, params }) {
        if (method === 'Runtime.exceptionThrown')
            this.said.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
        if (method === 'Runtime.consoleAPICalled') this.said.push(params.args.map((a) => a.value).join(' '));
        if (method === 'Log.entryAdded' && params.entry.level === 'error') this.said.push(params.entry.text);
        const call = this.waiting.get(id);
        this.waiting.delete(id);
        if (call) error ? call.reject(new Error(`${call.method}: ${error.message}`)) : call.resolve(result);
    }
    send(method, params = {}) {
        return new Promise((resolve, reject) => {
            this.waiting.set(++this.count, { resolve, reject, method });
            const session = this.session ? { sessionId: this.session } : {};
            this.process.stdio[3].write(JSON.stringify({ id: this.count, method, params, ...session }) + '\0');
        });
    }
    async open(width, height) {
        await this.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: this.downloads });
        const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
        const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
        this.session = sessionId;
        for (const domain of ['Page', 'Runtime', 'DOM', 'Log']) await this.send(`${domain}.enable`);
        await this.size(width, height);
    }
    size(width, height) {
        return this.send('Emulation.setDeviceMetricsOverride',
                         { width, height, deviceScaleFactor: 1, mobile: false });
    }
    dark(on) {
        return this.send('Emulation.setEmulatedMedia',
                         { features: [{ name: 'prefers-color-scheme', value: on ? 'dark' : 'light' }] });
    }
    /* The value of an expression in the page; promises are waited for. */
    async value(expression) {
        const { result, exceptionDetails } = await this.send('Runtime.evaluate',
            { expression, awaitPromise: true, returnByValue: true });
        if (exceptionDetails)
            throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
        return result.value;
    }
    async until(expression, seconds) {
        for (const end = Date.now() + 1000 * seconds; Date.now() < end; await sleep(100))
            if (await this.value(expression)) return true;
        return false;
    }
    click(id) { return this.value(`document.getElementById('${id}').click()`); }
    text(id) { return this.value(`document.getElementById('${id}').textContent`); }
    async setFile(id, path) {
        const { root } = await this.send('DOM.getDocument');
        const { nodeId } = await this.send('DOM.querySelector', { nodeId: root.nodeId, selector: `#${id}` });
        await this.send('DOM.setFileInputFiles', { nodeId, files: [path] });
    }
    /* The middle of an element, or a place in it: fractions of its width and height. */
    async place(id, across = 0.5, down = 0.5) {
        const box = await this.value(`(() => { const e = document.getElementById('${id}');
            e.scrollIntoView({ block: 'center' }); const b = e.getBoundingClientRect();
            return [b.left, b.top, b.width, b.height]; })()`);
        return { x: box[0] + across * box[2], y: box[1] + down * box[3] };
    }
    async mouse(type, { x, y }) {
        await this.send('Input.dispatchMouseEvent',
                        { type, x, y, button: 'left', buttons: type === 'mouseReleased' ? 0 : 1, clickCount: 1 });
    }
    async drop(id, path) {
        const at = await this.place(id), data = { items: [], files: [path], dragOperationsMask: 1 };
        for (const type of ['dragEnter', 'dragOver', 'drop'])
            await this.send('Input.dispatchDragEvent', { type, ...at, data });
    }
    /* Seconds that the workers of the page have spent on a processor: threads of our processes that
       Chromium calls DedicatedWorker. NaN where there is no /proc. */
    workerSeconds() {
        let ticks = NaN;
        try {
            for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
                try {
                    if (!readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--type=renderer')) continue;
                    for (const task of readdirSync(`/proc/${id}/task`)) {
                        const stat = readFileSync(`/proc/${id}/task/${task}/stat`, 'utf8');
                        if (!stat.includes('(DedicatedWorker')) continue;
                        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
                        ticks = (ticks || 0) + +fields[11] + +fields[12];
                    }
                } catch { /* it has just ended */ }
            }
        } catch { /* another system */ }
        return ticks / 100;
    }
    async shot(path) {
        const { cssContentSize: { width, height } } = await this.send('Page.getLayoutMetrics');
        const { data } = await this.send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true,
            clip: { x: 0, y: 0, width, height, scale: 1 } });
        writeFileSync(path, Buffer.from(data, 'base64'));
    }
    async close() {
        const gone = new Promise((resolve) => this.process.on('exit', resolve));
        delete this.session;
        this.send('Browser.close').catch(() => {});
        await Promise.race([gone, sleep(5000)]);
        this.process.kill('SIGKILL');
        await sleep(200);
        rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
    }
}
