/** 1249.37 → ₹1,249.37 with Indian grouping and both paise. */
export function rupeesText(rupees: number): string {
  const [whole = '', paise = ''] = rupees.toFixed(2).split('.');
  const head = whole.slice(0, -3).replace(/\B(?=(?:\d\d)+$)/g, ',');
  return `₹${head && `${head},`}${whole.slice(-3)}.${paise}`;
}
