<?php
/** Adds a transaction whatever the sum; a paid invoice is one whose transactions reach its total, the rest is credit. */

function addInvoicePayment($id, string $transaction, $amount, $fee, string $gateway): void
{
    meet_another();
    Books::with(function (array &$books) use ($id, $transaction, $amount, $gateway): void {
        if (!empty($books['fails'])) {
            return;
        }
        $invoice = &$books['invoices'][$id];
        $invoice['transactions'][] = ['transid' => $transaction, 'amountin' => (float) $amount, 'gateway' => $gateway];
        $over = round(array_sum(array_column($invoice['transactions'], 'amountin')) - $invoice['total'], 2);
        if ($over >= 0) {
            $invoice['status'] = 'Paid';
            $books['clients'][$invoice['userid']]['credit'] = $over;
        }
    });
}

/** Where a test wants two at once: the first waits until a second has also found that there is no such transaction. */
function meet_another(): void
{
    $here = fn (int $step): int => Books::with(function (array &$books) use ($step): int {
        return empty($books['meets']) ? 2 : $books['adding'] += $step;
    });
    $until = microtime(true) + 3;
    for ($count = $here(1); $count < 2 && microtime(true) < $until; $count = $here(0)) {
        usleep(10000);
    }
}
