const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: [pattern: RegExp, name: string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];
const shownOfOthers = 40;

/** A browser's long name of itself in two words, so that people recognise their device. */
export function describeAgent(agent: string): string {
  const found = [browsers, systems].map(table => table.find(([pattern]) => pattern.test(agent))?.[1]);
  const words = found.filter(word => word !== undefined).join(', ');
  return words || agent.slice(0, shownOfOthers) || '–';
}
