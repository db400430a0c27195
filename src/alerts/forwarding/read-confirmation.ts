import PostalMime from 'postal-mime';
import { parseMailAddress } from '../../base/network/parse-mail-address.ts';
import type { World } from '../../base/world.ts';
import { decodeSubject } from '../mail/decode-subject.ts';
import { parseAddresses } from '../mail/parse-addresses.ts';
import { headerValue, splitHeaders } from '../mail/split-headers.ts';
import { askKeys } from '../origin/ask-keys.ts';
import type { KeySource } from '../origin/key-source.ts';
import { verifyOrigin } from '../origin/verify-origin.ts';
import type { VerifiedOrigin } from '../origin/weigh-signature.ts';
import { type ConfirmationSender, confirmationSenders } from './confirmation-senders.ts';
import type { ForwardRequest } from './queries/forwarding.ts';

/** A question of some lines. What is larger is none, and is not taken apart. */
const mostBytes = 128 * 1024;
const mostLinks = 50;
const longestLink = 2_000;

/** `unclear`: the signature could not be checked for now; the sender is to come again. */
export type ReadConfirmation = { request: ForwardRequest } | 'unclear' | null;

/** A cheap look: whether a mail may be a provider's question at all. */
export function mayBeConfirmation(raw: Buffer, senders: readonly string[]): boolean {
  return raw.length <= mostBytes && senders.length === 1 && senderOf(senders[0]!) !== undefined;
}

/**
 * A provider's question whether mail may be forwarded to `forwardTo`: signed by the provider, addressed to that very
 * address, naming who asked. It is shown to the owner, who answers the provider. To us it proves nothing: anybody can
 * make a provider ask.
 */
export async function readConfirmation(
  world: Pick<World, 'dns' | 'clock'>,
  raw: Buffer,
  forwardTo: string,
): Promise<ReadConfirmation> {
  const mail = splitHeaders(raw);
  if (mail.outcome === 'refused') return null;
  const from = parseAddresses(headerValue(mail, 'from') ?? '');
  const sender = from?.length === 1 ? senderOf(from[0]!) : undefined;
  if (!from || !sender) return null;

  const now = world.clock.now();
  const origin = await verifyOrigin(mail, sender.signer, keysOf(world), { arrivedAt: now, now });
  if (origin.outcome === 'retrying') return 'unclear';
  if (origin.outcome !== 'verified') return null;
  if (parseAddresses(origin.headers.from)?.[0] !== from[0]) return null;
  const to = origin.headers.to === null ? null : parseAddresses(origin.headers.to);
  if (to?.length !== 1 || to[0] !== forwardTo) return null;

  const subject = decodeSubject(origin.headers.subject) ?? '';
  const text = await textOf(origin);
  const link = linkIn(text, sender);
  const code = sender.code.exec(subject)?.[1] ?? null;
  const askedBy = addressIn(subject, [forwardTo, from[0]!]) ?? addressIn(text, [forwardTo, from[0]!]);
  if (askedBy === null || (link === null && code === null)) return null;
  return { request: { asked_by: askedBy, provider: sender.id, code, link, arrived_at: now } };
}

function senderOf(address: string): ConfirmationSender | undefined {
  return confirmationSenders.find(one => one.isSender(address));
}

/** A domain that merely looks like the provider's is not asked about. */
function keysOf({ dns }: Pick<World, 'dns'>): KeySource {
  const ask = askKeys(dns);
  return async (name, purpose) => (purpose === 'unlisted' ? { kind: 'not_found' } : await ask(name, purpose));
}

/** All that a reader could see or follow, tags of HTML included: addresses and links are looked for, nothing is shown. */
async function textOf({ contentType, transferEncoding, body }: VerifiedOrigin): Promise<string> {
  const head = [
    contentType !== null && `Content-Type: ${contentType}`,
    transferEncoding !== null && `Content-Transfer-Encoding: ${transferEncoding}`,
  ].filter(Boolean);
  const mail = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
  try {
    const { text, html } = await PostalMime.parse(mail, { forceRfc822Attachments: true });
    return `${text ?? ''}\n${(html ?? '').replaceAll('&amp;', '&')}`;
  } catch {
    return '';
  }
}

function linkIn(text: string, { isLink }: ConfirmationSender): string | null {
  const found = text.match(/https:\/\/[^\s"'<>]{1,2000}/g)?.slice(0, mostLinks) ?? [];
  for (const one of found) {
    const url = URL.parse(one);
    if (url && url.username === '' && url.port === '' && isLink(url) && url.href.length <= longestLink)
      return url.href;
  }
  return null;
}

function addressIn(text: string, others: readonly string[]): string | null {
  for (const one of text.match(/[^\s<>()[\]"',;:\\@]{1,64}@[a-z0-9.-]{1,190}[a-z0-9]/gi) ?? []) {
    const address = parseMailAddress(one);
    if (address !== null && !others.includes(address)) return address;
  }
  return null;
}
