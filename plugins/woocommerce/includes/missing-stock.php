<?php

namespace Milaan\Woo;

defined('ABSPATH') || exit;

/**
 * The order's products that the shop no longer has, in words. Nothing is missing once stock was taken for the order.
 * Stock for which other customers are paying counts as gone.
 */
function missing_stock(\WC_Order $order): array
{
    if ($order->get_data_store()->get_stock_reduced($order->get_id())) {
        return [];
    }
    $needed = [];
    $missing = [];
    foreach ($order->get_items() as $item) {
        $product = $item->get_product();
        if (!$product || !$product->is_in_stock()) {
            $missing[] = $item->get_name();
        } elseif ($product->managing_stock() && !$product->backorders_allowed()) {
            // Variations may share their product's stock.
            $holder = $product->get_stock_managed_by_id();
            $needed[$holder] = ($needed[$holder] ?? 0) + $item->get_quantity();
        }
    }
    foreach ($needed as $holder => $quantity) {
        $product = wc_get_product($holder);
        $there = $product->get_stock_quantity() - wc_get_held_stock_quantity($product, $order->get_id());
        if ($there < $quantity) {
            /* translators: 1: product, 2: pieces needed, 3: pieces in stock */
            $missing[] = sprintf(__('%1$s (%2$s needed, %3$s there)', 'milaan-upi'), $product->get_name(), $quantity, max(0, $there));
        }
    }
    return $missing;
}
