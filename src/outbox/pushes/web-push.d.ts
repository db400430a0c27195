/** Only the parts that we use. The library encrypts and signs; we send. */
declare module 'web-push' {
  type Options = {
    TTL: number;
    topic: string;
    urgency: 'high' | 'normal';
    vapidDetails: { subject: string; publicKey: string; privateKey: string };
  };
  const library: {
    generateRequestDetails(
      subscription: { endpoint: string; keys: { p256dh: string; auth: string } },
      payload: string,
      options: Options,
    ): { headers: Record<string, string | number>; body: Buffer };
  };
  export default library;
}
