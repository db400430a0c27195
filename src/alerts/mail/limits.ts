const KiB = 1024;
const MiB = 1024 * KiB;

/** A bank's alert is some tens of kilobytes; a larger mail is kept as unreadable, with its head only. */
export const mostMailBytes = 1 * MiB;
export const keptHeadBytes = 64 * KiB;

/** What a server may send in one piece. Beyond it the connection ends; imapflow itself would take a gigabyte. */
export const mostLiteralBytes = mostMailBytes + 64 * KiB;
export const mostLineBytes = 4 * MiB;
export const mostResponseBytes = mostLineBytes + mostLiteralBytes;

/** What a server may send in answer to one command: a flood of small pieces passes the limits above. */
export const mostAnswerBytes = 8 * MiB;

/** Senders asked for at once, and whole mails fetched at once: by number and by size. */
export const sendersAtOnce = 200;
export const mailsAtOnce = 20;
export const mailBytesAtOnce = 1 * MiB;

/** Longer From headers are read as far as this. */
export const mostSenderBytes = 8 * KiB;

/** A mail that the server lists but does not deliver is asked for this often, then only by the daily comparison. */
export const mostTriesForMail = 10;

export const mostExtraFolders = 5;
export const mostFolderLength = 200;
