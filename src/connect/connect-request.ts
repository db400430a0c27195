/** What a shop asks for at /connect, checked. */
export type ConnectRequest = {
  shopName: string;
  /** As it was sent: the browser goes back to these very bytes. */
  returnUrl: string;
  webhookUrl: string;
  state: string;
  codeChallenge: string;
};

/** Under which names it travels, in the address and in the form of the consent. */
export const connectParameters = [
  'shop_name',
  'return_url',
  'webhook_url',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;
export type ConnectParameter = (typeof connectParameters)[number];

/** Listed as the key's name, and as long as one may be. */
export const longestShopName = 60;
