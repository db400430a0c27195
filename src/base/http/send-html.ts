import type { FastifyReply, FastifyRequest } from 'fastify';
import { compress, encodingFor } from './asset.ts';
import type { Html } from './html.ts';

type PageOptions = {
  forms?: boolean;
  /** An origin to which they may lead on, where that is not our own. */
  formTo?: string;
  app?: boolean;
  /** What else the page depends on beside the encoding. */
  vary?: string;
};

/** A page is made for one reader: fast and small enough beats smallest. */
const brotliQuality = 5;

/** Sends a page: nothing inline runs, nobody frames it, nothing leaves in a referrer, nobody keeps it. */
export async function sendHtml(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  page: Html,
  { forms = false, formTo = '', app = false, vary }: PageOptions = {},
): Promise<FastifyReply> {
  const encoding = encodingFor(request.headers['accept-encoding']);
  const plain = Buffer.from(page.text);
  const bytes = encoding ? await compress(plain, encoding, { brotli: brotliQuality }) : plain;
  if (encoding) reply.header('content-encoding', encoding);
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': contentSecurityPolicy(forms ? `'self' ${formTo}`.trim() : "'none'", app),
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
      vary: vary ? `Accept-Encoding, ${vary}` : 'Accept-Encoding',
    })
    .send(bytes);
}

function contentSecurityPolicy(formAction: string, app: boolean): string {
  return (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    `${app ? "manifest-src 'self'; " : ''}base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`
  );
}
