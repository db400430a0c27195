const values: Record<string, string> = {
  amount: '500.37',
  account: 'XX1234',
  reference: '632012345678',
  date: '15-11-26',
  time: '10:30',
};

/** A template's subject as a merchant would find it in the inbox: values in its gaps. Null where any subject will do. */
export function exampleSubject(written: string): string | null {
  if (written === '{any}') return null;
  return written
    .replace(/\\(.)|[[\]]|\{([^}]*)\}/g, (_, plain?: string, gap?: string) => {
      if (gap === undefined) return plain ?? '';
      return values[gap] ?? gap.split('|')[0]!;
    })
    .trim();
}
