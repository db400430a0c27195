/** What somebody reads who came to the installation's bare address. */
export const landing = {
  title: 'UPI payments, confirmed',
  what: 'Shops use this site to see that a UPI payment has arrived. The money goes from the customer’s bank straight to the shop’s; nobody here holds it.',
  sandbox: 'This is a sandbox, for trying things out. No money moves here.',
  payHeading: 'Do you want to pay?',
  payText: 'You need the whole link that the shop gave you. It looks like one of these:',
  payShop:
    'If it is cut short, ask the shop for it again. About an order or a payment, too, ask the shop: it alone knows.',
  ownerHeading: 'Is it your shop?',
  signUp: 'Open an account',
  developerHeading: 'Do you build shops?',
  docs: 'Read the documentation',
} as const;
