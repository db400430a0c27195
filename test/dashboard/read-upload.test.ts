import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { readUpload } from '../../src/dashboard/read-upload.ts';

const type = 'multipart/form-data; boundary=b1';
const head = '--b1\r\nContent-Disposition: form-data; name="mail"; filename="a.eml"\r\n\r\n';

function read(body: string | undefined, contentType: string | undefined = type) {
  const request = { headers: { 'content-type': contentType }, body: body && Buffer.from(body, 'latin1') };
  return readUpload(request as unknown as FastifyRequest)?.toString('latin1') ?? null;
}

test('the file of a form comes out byte by byte, empty lines and odd bytes included', () => {
  for (const file of ['', 'From: a\r\n\r\nbody\r\n', '\r\n\r\n\xff\x00--b\r\n--', '\r\n'])
    assert.equal(read(`${head}${file}\r\n--b1--\r\n`), file);
});

test('a body with more than one field, without an end, of another kind or none at all is no upload', () => {
  for (const body of [
    `${head}x\r\n${head}y\r\n--b1--\r\n`,
    `${head}x\r\n--b1`,
    `${head}x`,
    `x${head}y\r\n--b1--\r\n`,
    `${head}x\r\n--b1--\r\nand more`,
    `${head}x\r\n--b12--\r\n--b1--\r\n`,
    '--b1\r\nContent-Disposition: form-data; name="mail"\r\n--b1--\r\n',
    '--b1--\r\n',
    '',
    undefined,
  ])
    assert.equal(read(body), null, body);
  assert.equal(read(`${head}x\r\n--b1--\r\n`, 'application/octet-stream'), null);
  assert.equal(read(`${head}x\r\n--b1--\r\n`, `multipart/form-data; boundary=${'b'.repeat(71)}`), null);
});
