/* onnx_file.mjs - writes a small ONNX file by hand: y = x w + b with a free batch, so that the test
   of the page needs no other tool. Fields and types are those of onnx.proto. */
const bytesOf = (part) => typeof part === 'string' ? Buffer.from(part) : Buffer.from(part);
function number(value) {
    const bytes = [];
    for (; value > 127; value >>>= 7) bytes.push(value & 127 | 128);
    return Buffer.from([...bytes, value]);
}
const integer = (field, value) => Buffer.concat([number(field << 3), number(value)]);
const piece = (field, ...parts) => {
    const body = Buffer.concat(parts.map(bytesOf));
    return Buffer.concat([number(field << 3 | 2), number(body.length), body]);
};
const FLOAT = 1;

function tensor(name, shape, values) {
    return Buffer.concat([...shape.map((extent) => integer(1, extent)), integer(2, FLOAT), piece(8, name),
                          piece(9, new Uint8Array(Float32Array.from(values).buffer))]);
}
function info(name, shape) {
    const axes = shape.map((axis) => piece(1, typeof axis === 'string' ? piece(2, axis) : integer(1, axis)));
    return Buffer.concat([piece(1, name), piece(2, piece(1, integer(1, FLOAT), piece(2, ...axes)))]);
}
const node = (type, inputs, output) =>
    Buffer.concat([...inputs.map((name) => piece(1, name)), piece(2, output), piece(4, type)]);

/* x (batch, 3), w (3, 2), b (2); for x = 1 the first row is the sums of the columns of w, plus b. */
export function linearFile() {
    const graph = [piece(1, node('MatMul', ['x', 'w'], 'product')), piece(1, node('Add', ['product', 'b'], 'y')),
                   piece(2, 'linear'), piece(5, tensor('w', [3, 2], [1, 2, 3, 4, 5, 6])),
                   piece(5, tensor('b', [2], [0.5, -20])), piece(11, info('x', ['batch', 3])),
                   piece(12, info('y', ['batch', 2]))];
    return Buffer.concat([integer(1, 8), piece(2, 'nn.h'), piece(7, ...graph),
                          piece(8, piece(1, ''), integer(2, 17))]);
}
