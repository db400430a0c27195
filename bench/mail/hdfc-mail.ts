import { type MailKey, mailKey, quotedPrintable, signatureLine } from '../../test/support/signed-mail.ts';

/**
 * An alert as heavy as the ones HDFC sends through Gmail: 15 KB, of which a third is headers of the relays; two
 * signatures over the same fields, the bank's and its mailing service's; a style sheet and tables in tables, deeply
 * indented, as quoted-printable. The words are the bank's wording, the rest is made up.
 */
export type HdfcAlert = {
  /** The amount as the mail prints it: `500.37`. */
  amount: string;
  reference: string;
  to: string;
  sentAt: Date;
};

const domain = 'hdfcbank.bank.in';
const service = 'mailing-service.example';
const selectors = { bank: 'bench1', service: 'relay1' };

/** Both signers' DNS records. */
export function hdfcRecords(): Record<string, string> {
  return {
    [`${selectors.bank}._domainkey.${domain}`]: keyOf('bank').record,
    [`${selectors.service}._domainkey.${service}`]: keyOf('service').record,
  };
}

const keyOf = (which: 'bank' | 'service'): MailKey => mailKey(2048, `hdfc ${which}`);

/** `gmail`: with what Gmail adds, and with the Message-ID that it puts in place of HDFC's, which has no brackets. */
export function hdfcMail(alert: HdfcAlert, { gmail = false } = {}): Buffer {
  const seconds = Math.floor(alert.sentAt.getTime() / 1000);
  const id = `A.${seconds}000000.${alert.reference}#${alert.to}`;
  const lines = [
    `Message-ID: ${id}`,
    'Content-Type: multipart/alternative;\r\n boundary=89c51009f3445dcc9a75dd1aeaf425fc964ab0d26ace395c',
    `To: ${alert.to}`,
    'Subject: View: Account update for your HDFC Bank A/c',
    `From: HDFC Bank InstaAlerts <alerts@${domain}>`,
    `Date: ${alert.sentAt.toUTCString().replace('GMT', '+0000')}`,
    'Mime-Version: 1.0',
  ];
  const body = bodyOf(alert);
  const names = ['content-type', 'message-id', 'subject', 'date', 'mime-version', 'to', 'from'];
  const tags = [`t=${seconds}`];
  const signatures = [
    signatureLine(lines, body, { domain, selector: selectors.bank, key: keyOf('bank'), names, tags }),
    signatureLine(lines, body, {
      domain: service,
      selector: selectors.service,
      key: keyOf('service'),
      names,
      tags,
    }),
  ];
  const arrived = gmail
    ? [
        `Message-ID: <${alert.reference}.619b4846.5305SMTPIN_ADDED_BROKEN@mx.google.com>`,
        `X-Google-Original-Message-ID: ${id}`,
        ...lines.slice(1),
      ]
    : lines;
  const text = [...relayLines(alert), ...signatures, ...arrived, '', body].join('\r\n');
  return Buffer.from(text, 'latin1');
}

/** Traces of delivery: as many bytes as Gmail writes above such a mail. */
function relayLines({ to, sentAt }: HdfcAlert): string[] {
  const when = sentAt.toUTCString().replace('GMT', '+0000 (UTC)');
  const noise = (lines: number) =>
    Array.from(
      { length: lines },
      () => `\r\n        ${'bS4vR0h1Yy9rZXAtd2Fsa2luZy1vbi10aGUtYmVhY2g'.repeat(2)}`,
    );
  const results = [
    ` dkim=pass header.i=@${domain} header.s=${selectors.bank} header.b=nPfP3w3D;`,
    ` dkim=pass header.i=@${service} header.s=${selectors.service} header.b=JaPKjH3R;`,
    ` spf=pass (example: domain of bounce@comm.${domain} designates 192.0.2.12 as permitted sender) smtp.mailfrom=bounce@comm.${domain};`,
    ` dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=${domain}`,
  ].join('\r\n      ');
  return [
    `Delivered-To: ${to}`,
    `Received: by 2001:db8:7108:928c:b0:570:a2d5:6436 with SMTP id hr12csp1123804gdb;\r\n        ${when}`,
    `X-Received: by 2001:db8:903:19c6:b0:2c0:a373:89b9 with SMTP id d9443c01a7336;\r\n        ${when}`,
    `ARC-Seal: i=1; a=rsa-sha256; t=1780301188; cv=none; d=relay.example; s=arc1;\r\n        b=${noise(4).join('')}`,
    `ARC-Message-Signature: i=1; a=rsa-sha256; c=relaxed/relaxed; d=relay.example; s=arc1;\r\n        h=mime-version:date:from:subject:to:dkim-signature:dkim-signature:message-id;\r\n        b=${noise(4).join('')}`,
    `ARC-Authentication-Results: i=1; relay.example;\r\n      ${results}`,
    `Return-Path: <bounce@comm.${domain}>`,
    `Received: from out.${service} (out.${service}. [192.0.2.12])\r\n        by relay.example with ESMTPS id 41be03b00d2f7 for <${to}>\r\n        (version=TLS1_3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256);\r\n        ${when}`,
    `Received-SPF: pass (relay.example: domain of bounce@comm.${domain} designates 192.0.2.12 as permitted sender) client-ip=192.0.2.12;`,
    `Authentication-Results: relay.example;\r\n      ${results}`,
  ];
}

function bodyOf({ amount, reference }: HdfcAlert): string {
  const words =
    `Dear Customer, Greetings from HDFC Bank! We're writing to inform you that Rs.${amount} has been successfully ` +
    'credited to your HDFC Bank account ending in 4321. Transaction Details: a. Date: 15-11-26 b. Sender: ' +
    `MEERA IYER (VPA: meera.iyer@okaxis) c. UPI Reference No.: ${reference} Need Help? You can visit your nearest ` +
    'HDFC Bank branch. Thank you for banking with HDFC Bank. Warm Regards, HDFC Bank';
  const cell = 'font-family:Arial; font-size:16px; line-height:22px; color:#000; text-align: left';
  const html = [
    '<!doctype html>',
    '<html>',
    '<head>',
    '    <meta http-equiv="Content-Type" content="text/html; charset=utf-8">',
    '    <title>HDFC BANK</title><!-- shown nowhere -->',
    '    <style type="text/css">',
    '        @media screen and (min-device-width: 320px) and (max-device-width: 768px) {',
    ...['table', '.td', '.heading', '.cta'].flatMap(name => [
      `            ${name} {`,
      '                padding: 0px 25px;',
      '                text-align: left;',
      '            }',
    ]),
    '        }',
    '    </style>',
    '</head>',
    '<body>',
    ...tablesAround(`<td align="left" valign="middle" style="${cell}" class="td esd-text">${words}`, 4),
    ...tablesAround('<td height="25">', 4),
    ...tablesAround('<td height="15">', 4),
    ...tablesAround(`<td style="${cell}; border-bottom: 2px solid #cccccc">`, 5),
    ...tablesAround(
      `<td style="${cell}"><a href="https://shop.example/${'x'.repeat(380)}">click here.</a>`,
      4,
    ),
    '</body>',
    '</html>',
  ].join('\r\n');
  const boundary = '--89c51009f3445dcc9a75dd1aeaf425fc964ab0d26ace395c';
  const head = 'Content-Transfer-Encoding: quoted-printable\r\nContent-Type: text/html; charset=UTF-8';
  return `${boundary}\r\n${head}\r\n\r\n${quotedPrintable(html)}\r\n${boundary}--\r\n`;
}

/** One cell at the bottom of tables in tables, each step indented as its author's editor did it. */
function tablesAround(cell: string, depth: number): string[] {
  const opening: string[] = [];
  const closing: string[] = [];
  for (let level = 0; level < depth; level++) {
    const blank = ' '.repeat(4 + level * 16);
    const table = '<table width="100%" border="0" cellspacing="0" cellpadding="0" align="center">';
    opening.push(`${blank}${table}`, `${blank}    <tbody>`, `${blank}        <tr>`);
    closing.unshift(`${blank}        </tr>`, `${blank}    </tbody>`, `${blank}</table>`);
    if (level < depth - 1) {
      opening.push(`${blank}            <td width="550" valign="top" align="center">`);
      closing.unshift(`${blank}            </td>`);
    }
  }
  return [...opening, `${' '.repeat(4 + depth * 16)}${cell}</td>`, ...closing];
}
