/**
 * By what a mail server says that user name or password are wrong. Whatever says something else, or nothing, may take
 * the same login a minute later: a server that throttles answers NO too, and its owner must not be sent to change a
 * password that is right. Response codes: RFC 5530.
 */
export const refusalCodes = ['AUTHENTICATIONFAILED', 'AUTHORIZATIONFAILED', 'EXPIRED'];

/** As servers word it that send no such code. */
export const refusalWords: readonly RegExp[] = [
  // Gmail, Zoho and Yahoo (mscdex/node-imap issue 826, Enough-Software/enough_mail issue 245): "Invalid credentials (Failure)",
  // also behind [ALERT].
  /\binvalid credentials\b/i,
  // Gmail and Zoho with two-step sign-in: "Application-specific password required".
  /\b(application|app)[- ]specific password\b/i,
  // Gmail: "Web login required", "Please log in via your web browser".
  /\bweb login required\b|\blog in via your web browser\b/i,
  // Microsoft Exchange, and nothing else in the line (jstedfast/MailKit issue 483): "LOGIN failed.", "AUTHENTICATE failed."
  /^(login|authenticate) failed\.?$/i,
  // Courier and Cyrus: "Login failed.", "Login failed: authentication failure". Dovecot before 2.0: "Authentication failed."
  /\bauthentication fail(ed|ure)\.?$/i,
  // Mailu's proxy (Mailu/Mailu issue 2283): "Authentication credentials invalid".
  /\bcredentials (are )?invalid\b/i,
  // hMailServer, MDaemon and others in plain words.
  /\b(invalid|incorrect|wrong|bad) (user ?name|login|user|password)\b/i,
];

/** Asks for patience, whatever code stands before it ("Temporary authentication failure": Mailu/Mailu issue 2283). */
export const patienceWords =
  /too many|simultaneous|try (again|later)|temporar|throttl|rate[- ]?limit|limit exceeded|\bunavailable\b|\b(server|system|service) (is )?busy\b/i;
