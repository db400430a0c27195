import type { Page } from 'playwright-core';
import type { Milaan } from './milaan.ts';

/** The owner opens the order in Milaan, and says that the money that came belongs to it. */
export async function acceptInMilaan(page: Page, milaan: Milaan, orderId: string): Promise<void> {
  await page.goto(`${milaan.url}/dashboard`);
  await page.fill('input[name="email"]', milaan.file.email);
  await page.fill('input[name="password"]', milaan.file.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/dashboard\/?($|\?|first)/);
  await page.goto(`${milaan.url}/dashboard/orders/${orderId}`);
  await page.getByRole('button', { name: 'Yes, mark this order paid' }).click();
  await page.getByText('The order is paid').first().waitFor();
}
