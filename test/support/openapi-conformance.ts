import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { LightMyRequestResponse } from 'fastify';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document
type Document = any;

/** Asks of a real answer that the document names its status and describes its body. */
export type Conforms = (path: string, method: string, response: LightMyRequestResponse) => void;

export function conformanceTo(document: Document): Conforms {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'api');
  return (path, method, response) => {
    const pointer = [path, method, 'responses', response.statusCode, 'content', 'application/json', 'schema'];
    const reference = pointer.map(part => String(part).replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
    const validate = ajv.getSchema(`api#/paths/${reference}`);
    assert.ok(validate, `${method} ${path} ${response.statusCode} is not in the document`);
    assert.ok(validate(response.json()), `${response.body}\n${ajv.errorsText(validate.errors)}`);
  };
}
