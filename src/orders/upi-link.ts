import { crc32, deflateSync } from 'node:zlib';
import encodeQR from 'qr';
import { type Paise, rupeesText } from '../base/money.ts';

export type UpiPayee = {
  vpa: string;
  payeeName: string;
  kind: 'personal' | 'merchant';
  merchantCode: string | null;
};

/**
 * The deep link that a UPI app opens. `@` stays raw and a space is %20, because apps read `+` and `%40` literally. The
 * amount always has two decimals. Only an account that its bank verified as a merchant's has `mc` and `tr`: apps
 * decline a personal account with them.
 */
export function upiLink(payee: UpiPayee, payable: Paise, orderId: string): string {
  const parameters = payeeParameters(payee);
  if (payee.kind === 'merchant') parameters.push(['tr', orderId.replaceAll('-', '')]);
  return written([...parameters, ['am', rupeesText(payable)], ['cu', 'INR'], ['tn', orderId]]);
}

/** The account alone, for a poster. The customer types the sum, and no two payments share a reference. */
export function upiAccountLink(payee: UpiPayee): string {
  return written([...payeeParameters(payee), ['cu', 'INR']]);
}

type Parameter = [name: string, value: string];

function payeeParameters({ vpa, payeeName, kind, merchantCode }: UpiPayee): Parameter[] {
  const code: Parameter[] = kind === 'merchant' && merchantCode !== null ? [['mc', merchantCode]] : [];
  return [['pa', vpa], ['pn', shortName(payeeName)], ...code];
}

function written(parameters: readonly Parameter[]): string {
  return `upi://pay?${parameters.map(([name, value]) => `${name}=${percentEncoded(value)}`).join('&')}`;
}

/**
 * A letter of an Indian script takes nine bytes of a link. A longer name would make the QR too dense for a cheap
 * camera, and the app shows the bank's name anyway. The cut is never inside a letter.
 */
const nameBytes = 225;

function shortName(name: string): string {
  if (percentEncoded(name).length <= nameBytes) return name;
  let short = '';
  for (const { segment } of new Intl.Segmenter().segment(name)) {
    if (percentEncoded(short + segment).length > nameBytes) break;
    short += segment;
  }
  return short.trimEnd();
}

const plain = /^[A-Za-z0-9@._~-]*$/;

function percentEncoded(value: string): string {
  if (plain.test(value)) return value;
  return encodeURIComponent(value)
    .replaceAll('%40', '@')
    .replaceAll(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

const quietZone = 4;

/** The link as an SVG, level M, black on white with its quiet zone, so that it scans in dark mode too. */
export function qrSvg(link: string): string {
  const rows = encodeQR(link, 'raw', { ecc: 'medium', border: quietZone });
  const side = rows.length;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path stroke="#000" d="${darkRuns(rows)}"/></svg>`
  );
}

/** §2: an SVG as a base64 data: URI, or null if the QR cannot be drawn. The order is valid without it. */
export function qrDataUri(link: string): string | null {
  try {
    return `data:image/svg+xml;base64,${Buffer.from(qrSvg(link), 'latin1').toString('base64')}`;
  } catch {
    return null;
  }
}

/** The largest QR has 177 modules per side. */
const mostModules = 177 + 2 * quietZone;
/** Computed once, because every create draws hundreds of runs. */
const starts = Array.from({ length: mostModules }, (_, x) => `M${x} `);
const lines = Array.from({ length: mostModules }, (_, y) => `${y}.5`);
const gaps = Array.from({ length: mostModules }, (_, width) => `m${width} 0`);
const runs = Array.from({ length: mostModules }, (_, width) => `h${width}`);

/**
 * Draws one stroke, a module wide, through the middle of each row: pen down over dark modules, up over light ones.
 * Rectangles would take more than twice the bytes, and the QR is most of a create's answer.
 */
function darkRuns(rows: readonly (readonly boolean[])[]): string {
  let path = '';
  for (const [y, row] of rows.entries()) {
    let end = -1;
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x++;
      path += (end < 0 ? starts[start]! + lines[y]! : gaps[start - end]!) + runs[x + 1 - start]!;
      end = x + 1;
    }
  }
  return path;
}

/** Pixels per module, so that a picture scanned from a screen or opened from a gallery is sharp. */
const moduleSize = 12;
const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/** The link as a PNG, black on white, because galleries and the apps that read from them cannot open SVG. */
export function qrPng(link: string): Buffer {
  const rows = encodeQR(link, 'raw', { ecc: 'medium', border: quietZone });
  const side = rows.length * moduleSize;
  const stride = Math.ceil(side / 8);
  const pixels = Buffer.alloc((stride + 1) * side);
  for (let y = 0; y < side; y++) {
    const row = rows[Math.floor(y / moduleSize)]!;
    for (let x = 0; x < side; x++) {
      const isLight = !row[Math.floor(x / moduleSize)];
      if (isLight) pixels[y * (stride + 1) + 1 + (x >> 3)]! |= 0x80 >> (x & 7);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  // One bit per pixel, in greyscale.
  head[8] = 1;
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
