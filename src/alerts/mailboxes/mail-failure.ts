import { sayReason } from '../../texts/say.ts';
import type { Reason } from '../../texts/verdicts.ts';

/** What went wrong with a mailbox. `login` and `imap_off` need the merchant; everything else is tried again. */
export type FailureKind =
  | 'host_not_found'
  | 'refused_address'
  | 'unreachable'
  | 'certificate'
  | 'login'
  | 'imap_off'
  | 'busy'
  | 'protocol'
  | 'ours';

export class MailFailure extends Error {
  readonly kind: FailureKind;
  readonly reason: Reason;

  constructor(kind: FailureKind, reason: Reason, cause?: unknown) {
    super(sayReason('en', reason), { cause });
    this.kind = kind;
    this.reason = reason;
  }
}

/** The watcher no longer owns the mailbox; its new owner carries on. */
export class LostLease extends Error {}
