import type { FastifyRequest } from 'fastify';
import { Form, mostFields, readForm } from '../../base/http/form.ts';
import { isStorable } from '../../base/http/text.ts';

/** As browsers write it. Nothing may stand beside the boundary, so that nobody reads another one there than we do. */
const formType = /^multipart\/form-data\s*;\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1$/i;

/** The fields and files of a form that may bring a file. Null for a body that is no form of ours. */
export async function readUpload(request: FastifyRequest): Promise<Form | null> {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) return readForm(request);
  const boundary = formType.exec(type)?.[2];
  if (boundary === undefined || !Buffer.isBuffer(request.body) || hasManyParts(request.body, boundary))
    return null;
  const fields = new Map<string, string[]>();
  const files = new Map<string, Buffer>();
  try {
    const body = new Response(new Uint8Array(request.body), { headers: { 'content-type': type } });
    for (const [name, value] of await body.formData()) {
      if (!isStorable(name)) return null;
      if (typeof value !== 'string') files.set(name, Buffer.from(await value.arrayBuffer()));
      else if (isStorable(value)) fields.set(name, [...(fields.get(name) ?? []), value]);
      else return null;
    }
  } catch {
    return null;
  }
  return new Form(fields, files);
}

/** Counted first: taking a hundred thousand parts apart stops the process for seconds. */
function hasManyParts(body: Buffer, boundary: string): boolean {
  const line = Buffer.from(`--${boundary}`);
  let parts = 0;
  for (let at = body.indexOf(line); at >= 0; at = body.indexOf(line, at + line.length))
    if (++parts > mostFields) return true;
  return false;
}
