import { createHash } from 'node:crypto';
import { day, hour } from '../../base/clock.ts';
import { isAmong, type SecretBox } from '../../base/secrets.ts';
import { languageTags } from '../../texts/language-tags.ts';
import { textsIn } from '../../texts/languages.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { decodeSubject } from '../mail/decode-subject.ts';
import { headerOf, headerValue, splitHeaders } from '../mail/split-headers.ts';
import { canonicaliseBody } from '../origin/check-signature.ts';

export const probeHeader = 'X-Milaan-Probe';

/** A quiet shop gets a probe this often. If its page is opened after a silence, one is sent at once (`probeNow`). */
export const probeEvery = 6 * hour;

/** A probe that took longer says nothing about today. */
const oldest = 7 * day;

type Probe = { merchantId: number; address: string; sentAt: Date };

/** We sign the token, bound to one business, address and moment, so a copied one proves nothing else. */
export function probeToken(secrets: SecretBox, probe: Probe): string {
  return `${probe.sentAt.getTime()}.${macs(secrets, probe)[0]!.toString('hex')}`;
}

/** The address that this mail's probe was sent to, and when; null if the mail is not our probe. */
export function readProbeToken(
  secrets: SecretBox,
  raw: Buffer,
  { merchantId, addresses, now }: { merchantId: number; addresses: readonly string[]; now: Date },
): { address: string; sentAt: Date } | null {
  const [, time, mac] = /^(\d{13})\.([0-9a-f]{64})$/.exec(headerOf(raw, probeHeader) ?? '') ?? [];
  if (!time || !mac) return null;
  const sentAt = new Date(Number(time));
  if (now.getTime() - sentAt.getTime() > oldest) return null;
  const given = Buffer.from(mac, 'hex');
  const address = addresses.find(one => isAmong(macs(secrets, { merchantId, address: one, sentAt }), given));
  return address === undefined ? null : { address, sentAt };
}

function macs(secrets: SecretBox, { merchantId, address, sentAt }: Probe): Buffer[] {
  return secrets.signatures('forwarding probe', `${merchantId}\n${address}\n${sentAt.getTime()}`);
}

/** The signature has its own header, because a process of the previous release reads only the token. */
export const contentHeader = 'X-Milaan-Probe-Content';

const lineLength = 76;
const longestQuote = 120;

type Content = { subject: string; text: string };

/**
 * Signs subject and body, as a bank signs its alerts. So a probe reveals a forwarding that changes mails before the
 * first payment. The text must be sent in base64, so that its bytes are known in advance.
 */
export function signContent(secrets: SecretBox, token: string, { subject, text }: Content): string {
  return sealsOf(secrets, token, squeezed(subject), hashOfBody(Buffer.from(inBase64(text))))[0]!.toString(
    'hex',
  );
}

/** How a probe was changed on its way; null if it was unchanged, or was sent without a signature. */
export function changeOfProbe(secrets: SecretBox, token: string, raw: Buffer): Reason | null {
  const given = headerOf(raw, contentHeader);
  if (given === null) return null;
  const mail = splitHeaders(raw);
  if (mail.outcome === 'refused') return because('headers_changed');
  const subject = squeezed(decodeSubject(headerValue(mail, 'subject') ?? '') ?? '');
  const seal = Buffer.from(given.trim(), 'hex');
  if (isAmong(sealsOf(secrets, token, subject, hashOfBody(mail.body)), seal)) return null;
  const sent = languageTags.map(tag => textsIn(tag).mails.probe);
  const own = sent.find(one => subject.includes(squeezed(one.subject)));
  if (!own) return because('headers_changed');
  const added = subject.replace(squeezed(own.subject), '').trim();
  const body = mail.body.toString('latin1').trim();
  const bodyChanged = !sent.some(one => squeezed(inBase64(one.text)) === squeezed(body));
  if (added !== '') {
    const facts = { added: added.slice(0, longestQuote) };
    return bodyChanged ? because('subject_and_body_changed', facts) : because('subject_changed', facts);
  }
  const start = inBase64(own.text).trim();
  const below = body.startsWith(start) ? squeezed(body.slice(start.length)).slice(0, longestQuote) : '';
  return below === '' ? because('body_changed') : because('text_added', { added: below });
}

function sealsOf(secrets: SecretBox, token: string, subject: string, bodyHash: string): Buffer[] {
  return secrets.signatures('forwarding probe content', `${token}\n${subject}\n${bodyHash}`);
}

function hashOfBody(body: Buffer): string {
  return createHash('sha256').update(canonicaliseBody(body, 'relaxed')).digest('base64');
}

function inBase64(text: string): string {
  const encoded = Buffer.from(text).toString('base64');
  return `${encoded.match(new RegExp(`.{1,${lineLength}}`, 'g'))!.join('\r\n')}\r\n`;
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
