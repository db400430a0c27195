import type { FastifyRequest } from 'fastify';

const multipart = /^multipart\/form-data; *boundary=([\w'()+,./:=?-]{1,70})$/i;
const emptyLine = Buffer.from('\r\n\r\n');

/** The file of a form that has one field and nothing else; null for any other body. A form sent without a file is empty. */
export function readUpload({ headers, body }: FastifyRequest): Buffer | null {
  const boundary = multipart.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined || !Buffer.isBuffer(body)) return null;
  const opening = `--${boundary}\r\n`;
  if (!body.subarray(0, opening.length).equals(Buffer.from(opening))) return null;
  const begin = body.indexOf(emptyLine) + emptyLine.length;
  const end = body.indexOf(`\r\n--${boundary}`, begin);
  if (begin < opening.length || end < 0) return null;
  const rest = body.subarray(end).toString('latin1');
  return /^\r\n--[^\r\n]+--(?:\r\n)?$/.test(rest) ? body.subarray(begin, end) : null;
}
