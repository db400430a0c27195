<?php

namespace Milaan\Woo;

defined('ABSPATH') || exit;

/** Amounts are compared as whole paise, because floats with the same rupees need not be equal. */
function paise($rupees): int
{
    return (int) round((float) $rupees * 100);
}

/** Formats 123456.5 as ₹1,23,456.50, in plain text for notes and messages. */
function rupees($rupees): string
{
    $paise = paise($rupees);
    $whole = (string) intdiv($paise, 100);
    $head = preg_replace('/\B(?=(?:\d\d)+$)/', ',', substr($whole, 0, -3));
    return '₹' . ($head === '' ? '' : "$head,") . substr($whole, -3) . sprintf('.%02d', $paise % 100);
}
