import { findBank } from '../banks/bank.ts';
import { type Circumstances, type Judgement, judgeMail } from '../judging/judge-mail.ts';
import { decodeSubject } from '../mail/decode-subject.ts';
import { parseAddresses } from '../mail/parse-addresses.ts';
import { headerValue, type SplitMail, splitHeaders } from '../mail/split-headers.ts';
import { parseContentType, splitParts } from '../mail/split-parts.ts';
import { signaturesOf } from '../origin/parse-signature.ts';
import { verifyOrigin } from '../origin/verify-origin.ts';
import type { MimeShape, Signer, VerifiedOrigin } from '../origin/weigh-signature.ts';
import { readBody } from '../reading/read-body.ts';
import type { ReadMail } from './draft-entry.ts';

export type InspectedMail = ReadMail & {
  readonly outcome: 'inspected';
  /** Who signed, or claims to have. */
  readonly signers: readonly { readonly domain: string; readonly isValid: boolean }[];
  readonly bankId: string | null;
  readonly verdict: Judgement['verdict'];
  readonly reason: Judgement['reason'];
};
export type Uninspected = { readonly outcome: 'refused'; readonly reason: Judgement['reason'] };

export type Inspection = Omit<Circumstances, 'addresses'>;

/**
 * A mail as the workshop shows it: its words, its signers, and why it was not read. A copy whose signature is broken
 * (somebody masked a name in it) is shown all the same; what it cannot prove, a person has to know.
 */
export async function inspectMail(raw: Buffer, seen: Inspection): Promise<InspectedMail | Uninspected> {
  const mail = splitHeaders(raw);
  if (mail.outcome === 'refused') return { outcome: 'refused', reason: mail.reason };
  const from = parseAddresses(headerValue(mail, 'from') ?? '')?.[0] ?? null;
  const domains = signingDomains(mail);
  const origins: VerifiedOrigin[] = [];
  for (const domain of domains) {
    const origin = await verifyOrigin(mail, signerAlone(from ?? '', domain), seen.keys, seen);
    if (origin.outcome === 'verified') origins.push(origin);
  }
  // Carriers sign beside the bank: its listed domain, or the sender's own, tells more than theirs.
  const listed = findBank(seen.banks, from ?? '')?.signingDomains ?? [];
  const origin =
    origins.find(one => listed.includes(one.domain)) ??
    origins.find(one => isRelated(one.domain, from ?? '')) ??
    origins[0] ??
    null;
  const body = await readBody(
    {
      contentType: headerValue(mail, 'content-type'),
      transferEncoding: headerValue(mail, 'content-transfer-encoding'),
      mimeSigned: true,
      body: mail.body,
    },
    null,
  );
  if (body.outcome === 'refused') return { outcome: 'refused', reason: body.reason };
  const { verdict, reason, bankId } = await judgeMail(raw, { ...seen, addresses: recipientsOf(mail) });
  return {
    outcome: 'inspected',
    from: from?.toLowerCase() ?? null,
    subject: decodeSubject(headerValue(mail, 'subject') ?? '') ?? '',
    html: body.html,
    cells: body.cells ?? null,
    text: body.text,
    signers: domains.map(domain => ({ domain, isValid: origins.some(one => one.domain === domain) })),
    signedBy: origin?.domain ?? null,
    unsignedMime: origin === null || origin.mimeSigned ? null : shapeOf(origin),
    dateSigned: origin === null || origin.headers.date !== null,
    isRead: verdict === 'credit',
    bankId,
    verdict,
    reason,
  };
}

/** More than these is no bank's mail. */
const mostDomains = 4;

/** Who signed, each once, in the order of the mail. */
function signingDomains(mail: SplitMail): string[] {
  return [...new Set(signaturesOf(mail).map(({ domain }) => domain))].slice(0, mostDomains);
}

/** A bank of which nothing is known but this sender and this signer; it believes what any bank's entry can allow. */
function signerAlone(sender: string, domain: string): Signer {
  const lenient = { unsignedMime: [], dateMayBeUnsigned: true };
  return { name: domain, senders: [sender], signingDomains: [domain], ...lenient };
}

function isRelated(domain: string, from: string): boolean {
  const host = from.slice(from.indexOf('@') + 1).toLowerCase();
  return host === domain || host.endsWith(`.${domain}`) || domain.endsWith(`.${host}`);
}

/** How the mail is built, where the signature does not say: then only mails of this very build are read. */
function shapeOf(origin: VerifiedOrigin): MimeShape | null {
  const tree = splitParts(origin.contentType, origin.transferEncoding, origin.body);
  const type = parseContentType(origin.contentType ?? '')?.type;
  const whole = wholes.find(one => one === type);
  if (tree.outcome === 'refused' || whole === undefined) return null;
  const parts = tree.leaves.map(leaf => (leaf.type === 'text/html' ? 'text/html' : 'text/plain'));
  return { contentType: whole, parts };
}

const wholes = ['multipart/mixed', 'multipart/alternative', 'text/html', 'text/plain'] as const;

/** Whose mailbox it came to is not the question here. */
function recipientsOf(mail: SplitMail): string[] {
  return ['to', 'cc'].flatMap(name => parseAddresses(headerValue(mail, name) ?? '') ?? []);
}
