const KiB = 1024;
const MiB = 1024 * KiB;

/** A bank's alert has some tens of kilobytes. A larger mail is unreadable, and only its head is kept. */
export const mostMailBytes = 1 * MiB;
export const keptHeadBytes = 64 * KiB;

/** The most that a server may send in one piece, or the connection ends; imapflow itself allows a gigabyte. */
export const mostLiteralBytes = mostMailBytes + 64 * KiB;
export const mostLineBytes = 4 * MiB;
export const mostResponseBytes = mostLineBytes + mostLiteralBytes;

/** The most that a server may send in answer to one command: many small pieces pass the limits above. */
export const mostAnswerBytes = 8 * MiB;

/** Senders asked for at once, and whole mails fetched at once, by number and by size. */
export const sendersAtOnce = 200;
export const mailsAtOnce = 20;
export const mailBytesAtOnce = 1 * MiB;

/** Longer From headers are cut here. */
export const mostSenderBytes = 8 * KiB;

/** A listed mail that the server does not deliver is asked for this often, then only by the daily comparison. */
export const mostTriesForMail = 10;

export const mostExtraFolders = 5;
export const mostFolderLength = 200;
