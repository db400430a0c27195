/** Loaded when somebody first uses a passkey: its certificates' machinery is a quarter of all files of a start. */
export const passkeyLibrary = () => import('@simplewebauthn/server');
