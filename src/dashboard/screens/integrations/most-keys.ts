/** Of one business at once, those of connected shops included. */
export const mostKeys = 50;
