import type { Page } from 'playwright-core';
import type { Milaan } from './milaan.ts';

/** The owner opens Milaan, finds the money that came, and says that it belongs to this order. */
export async function acceptInMilaan(page: Page, milaan: Milaan, orderId: string): Promise<void> {
  await page.goto(`${milaan.url}/dashboard`);
  await page.fill('input[name="email"]', milaan.file.email);
  await page.fill('input[name="password"]', milaan.file.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/dashboard\/?($|\?|first)/);
  await page.goto(`${milaan.url}/dashboard/money`);
  await page.locator(`a[href*="/orders/${orderId}"]`).first().click();
  await page.getByRole('button', { name: 'Accept: the order is paid' }).click();
  await page.getByText(`${orderId} is paid`).first().waitFor();
}
