/** What the check of a signature has to know of whoever is to have signed. */
export type Signer = {
  readonly name: string;
  /** Exact From addresses, lower case. Mail from any other address is not this bank's. */
  readonly senders: readonly string[];
  /** Exact d= values, lower case. Never a suffix, never the mail provider's own domain. */
  readonly signingDomains: readonly string[];
  /**
   * Set only for a bank that leaves Content-Type and Content-Transfer-Encoding unsigned: the MIME shapes we then
   * read, so that an attacker who swaps those headers is left with a mail nobody reads.
   */
  readonly unsignedMime: readonly MimeShape[] | null;
  /** The bank does not always sign Date; the signature's t= then tells the time. */
  readonly dateMayBeUnsigned: boolean;
};

export type MimeShape = {
  readonly contentType: 'multipart/mixed' | 'multipart/alternative' | 'text/html' | 'text/plain';
  /** What a multipart holds, in its order; a mail without container is its own only part. */
  readonly parts: readonly ('text/html' | 'text/plain')[];
};
