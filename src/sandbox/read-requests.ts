import type { FastifyRequest } from 'fastify';
import { second } from '../base/clock.ts';
import { ApiError } from '../base/http/api-error.ts';
import { readJsonBody } from '../base/http/json-body.ts';
import { type WayToPay, waysToPay } from './pay-order.ts';
import { mostLead } from './sandbox-clock.ts';
import type { SettingsJson } from './schemas.ts';

const longestName = 253;
const longestValue = 4096;
const nameShape = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/;

export function readWayToPay(request: FastifyRequest): WayToPay {
  const how = jsonOf(request)['how'];
  if (!waysToPay.includes(how as WayToPay)) throw invalid(`how must be one of ${waysToPay.join(', ')}`);
  return how as WayToPay;
}

export function readAdvance(request: FastifyRequest): number {
  const seconds = jsonOf(request)['advance_seconds'];
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds * second <= mostLead)) {
    throw invalid(`advance_seconds must be a number from 0 to ${mostLead / second}`);
  }
  return Math.round(seconds * second);
}

/** Digits that are left out stay as they are. */
export function readAccount(request: FastifyRequest): { bank: string; digits: string | null } {
  const { bank, account_digits: digits = null } = jsonOf(request);
  if (typeof bank !== 'string') throw invalid("bank must be the id of a bank's file, such as kotak");
  if (digits !== null && (typeof digits !== 'string' || !/^[0-9]{2,6}$/.test(digits)))
    throw invalid('account_digits must be a text of two to six digits');
  return { bank, digits };
}

export function readSettings(request: FastifyRequest): SettingsJson {
  const { hold_near_misses: hold } = jsonOf(request);
  if (typeof hold !== 'boolean') throw invalid('hold_near_misses must be true or false');
  return { hold_near_misses: hold };
}

export function readMail(request: FastifyRequest): Buffer {
  const bytes = bytesOf(request, 'message/rfc822');
  if (bytes.length === 0) throw invalid('the body is empty; send the raw mail');
  return bytes;
}

export function readRecord(request: FastifyRequest): { name: string; value: string } {
  const { name: typed } = request.params as { name: string };
  const name = typed.toLowerCase().replace(/\.$/, '');
  if (name.length > longestName || !nameShape.test(name))
    throw invalid('the address does not end in a DNS name');
  const value = bytesOf(request, 'text/plain').toString('latin1').trim();
  if (value.length === 0 || value.length > longestValue || !/^[\x20-\x7e]+$/.test(value)) {
    throw invalid(`the body must be one TXT value of 1 to ${longestValue} printable ASCII characters`);
  }
  return { name, value };
}

function jsonOf(request: FastifyRequest): Record<string, unknown> {
  const body = readJsonBody(request);
  if ('problem' in body) throw invalid(body.problem);
  return body.object;
}

function bytesOf(request: FastifyRequest, type: string): Buffer {
  const given = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (given !== type) throw invalid(`Content-Type must be ${type}`);
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

export function invalid(details: string): ApiError {
  return new ApiError('invalid_request', { fields: { details } });
}
