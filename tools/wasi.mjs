/* wasi.mjs - runs a WASI program under node: node tools/wasi.mjs PROGRAM ARGUMENTS...
   The program sees this folder and /tmp, and its exit code is ours. */
import { WASI } from 'node:wasi';
import { readFileSync } from 'node:fs';

const wasi = new WASI({
    version: 'preview1', args: process.argv.slice(2), env: process.env,
    preopens: { '.': process.cwd(), '/tmp': '/tmp' }, returnOnExit: true,
});
const module = await WebAssembly.compile(readFileSync(process.argv[2]));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
