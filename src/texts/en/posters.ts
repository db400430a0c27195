/** What is printed for the wall. A poster carries its words in every language, whoever prints it. */
export const posters = {
  poster: 'Poster to print',
  size: 'Size',
  sizes: { a4: 'A4', a5: 'A5', stickers: 'Stickers', tent: 'Table tent' },
  hints: {
    a4: 'One sheet of A4 for the wall.',
    a5: 'One sheet of A5, or an A4 printer set to A5.',
    stickers: 'Four on a sheet of A4, as paper to glue or on sticker paper. Cut along the lines.',
    tent: 'One sheet of A4. Fold it at the line and stand it on a table: it can be read from both sides.',
  },
  scan: 'Scan and pay',
  anyApp: 'with any UPI app',
  steps: ['Open the camera of your phone', 'Point it at the code and tap the link', 'Pay by UPI'],
  camera: 'With the camera, not with a UPI app',
  ofAccount: 'QR code of this UPI ID',
  whichAccount:
    'This poster is your UPI ID, without an amount: every UPI app scans it, and the customer types the sum. It suits a counter where anybody pays anything. No order belongs to such a payment: where you count payments without order (UPI accounts) it is told at the counter and by the sound box, otherwise it waits under Money. Do you sell one thing at one price, or must each payment belong to an order? Then print the poster of a payment link.',
  whichLink:
    'This poster leads to your link’s page, where each customer gets a sum of their own and the payment finds its order by itself. It is scanned with the phone’s camera: UPI apps may refuse a web address. Does anybody pay anything at your counter? Then print the poster of your UPI ID (UPI accounts), which every UPI app scans.',
} as const;
