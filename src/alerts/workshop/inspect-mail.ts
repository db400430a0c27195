import { findBank } from '../banks/bank.ts';
import { type Circumstances, type Judgement, judgeMail } from '../judging/judge-mail.ts';
import { decodeSubject } from '../mail/decode-subject.ts';
import { parseAddresses } from '../mail/parse-fields.ts';
import { headerValue, type SplitMail, splitHeaders } from '../mail/split-headers.ts';
import { parseContentType, splitParts } from '../mail/split-parts.ts';
import { signaturesOf } from '../origin/parse-signature.ts';
import { verifyOrigin } from '../origin/verify-origin.ts';
import type { MimeShape, Signer, VerifiedOrigin } from '../origin/weigh-signature.ts';
import { readBody } from '../reading/read-body.ts';
import type { ReadMail } from './draft-entry.ts';

export type InspectedMail = ReadMail & {
  readonly outcome: 'inspected';
  /** The domains that signed, or claim to have signed. */
  readonly signers: readonly { readonly domain: string; readonly isValid: boolean }[];
  readonly bankId: string | null;
  readonly verdict: Judgement['verdict'];
  readonly reason: Judgement['reason'];
};
export type Uninspected = { readonly outcome: 'refused'; readonly reason: Judgement['reason'] };

export type Inspection = Omit<Circumstances, 'addresses'>;

/**
 * A mail for the workshop: its words, its signers, and why it was not read. A copy with a broken signature (somebody
 * masked a name in it) is shown too. A person must then supply what it cannot prove.
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
  // Carriers sign too. The bank's listed domain, or the sender's own, is a better name than theirs.
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

/** A bank's mail has no more signing domains. */
const mostDomains = 4;

function signingDomains(mail: SplitMail): string[] {
  return [...new Set(signaturesOf(mail).map(({ domain }) => domain))].slice(0, mostDomains);
}

/** An unknown bank with only this sender and this signer. It accepts everything that any bank's entry can allow. */
function signerAlone(sender: string, domain: string): Signer {
  const lenient = { unsignedMime: [], dateMayBeUnsigned: true };
  return { name: domain, senders: [sender], signingDomains: [domain], ...lenient };
}

function isRelated(domain: string, from: string): boolean {
  const host = from.slice(from.indexOf('@') + 1).toLowerCase();
  return host === domain || host.endsWith(`.${domain}`) || domain.endsWith(`.${host}`);
}

/** The mail's structure, if the signature does not cover it. Then only mails with exactly this structure are read. */
function shapeOf(origin: VerifiedOrigin): MimeShape | null {
  const tree = splitParts(origin.contentType, origin.transferEncoding, origin.body);
  const type = parseContentType(origin.contentType ?? '')?.type;
  const whole = wholes.find(one => one === type);
  if (tree.outcome === 'refused' || whole === undefined) return null;
  const parts = tree.leaves.map(leaf => (leaf.type === 'text/html' ? 'text/html' : 'text/plain'));
  return { contentType: whole, parts };
}

const wholes = ['multipart/mixed', 'multipart/alternative', 'text/html', 'text/plain'] as const;

/** The recipients do not matter here, so all of them count. */
function recipientsOf(mail: SplitMail): string[] {
  return ['to', 'cc'].flatMap(name => parseAddresses(headerValue(mail, name) ?? '') ?? []);
}
