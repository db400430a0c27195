import type { FastifyReply, FastifyRequest } from 'fastify';
import { compress, encodingFor } from './asset.ts';
import type { Html } from './html.ts';

type PageOptions = {
  forms?: boolean;
  /** Another origin that forms may lead to. */
  formTo?: string;
  app?: boolean;
  /** Request headers, besides the encoding, that change the page. */
  vary?: string;
};

/** A page is compressed for one reader, so speed matters more than size. */
const brotliQuality = 5;

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
