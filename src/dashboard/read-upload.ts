import type { FastifyRequest } from 'fastify';
import { Form, mostFields, readForm } from '../http/form.ts';
import { isStorable } from '../http/text.ts';

/** The fields and files of a form that may bring a file. Null for a body that is no form of ours. */
export async function readUpload(request: FastifyRequest): Promise<Form | null> {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) return readForm(request);
  if (!Buffer.isBuffer(request.body)) return null;
  const fields = new Map<string, string[]>();
  const files = new Map<string, Buffer>();
  try {
    const body = new Response(new Uint8Array(request.body), { headers: { 'content-type': type } });
    for (const [name, value] of await body.formData()) {
      if (fields.size + files.size >= mostFields || !isStorable(name)) return null;
      if (typeof value !== 'string') files.set(name, Buffer.from(await value.arrayBuffer()));
      else if (isStorable(value)) fields.set(name, [...(fields.get(name) ?? []), value]);
      else return null;
    }
  } catch {
    return null;
  }
  return new Form(fields, files);
}
