<?php

namespace Milaan\Woo;

defined('ABSPATH') || exit;

/** The same payment method for the block checkout. */
class Blocks extends \Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType
{
    protected $name = METHOD;

    public function initialize(): void
    {
        $this->settings = get_option(SETTINGS_OPTION, []);
    }

    public function is_active(): bool
    {
        $gateway = WC()->payment_gateways()->payment_gateways()[METHOD] ?? null;
        return $gateway !== null && $gateway->is_available();
    }

    public function get_payment_method_script_handles(): array
    {
        wp_register_script('milaan-checkout-block', plugins_url('assets/checkout-block.js', PLUGIN_FILE), ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'], VERSION, true);
        return ['milaan-checkout-block'];
    }

    public function get_payment_method_data(): array
    {
        $gateway = WC()->payment_gateways()->payment_gateways()[METHOD];
        return ['title' => $gateway->get_title(), 'description' => $gateway->get_description(), 'button' => $gateway->order_button_text];
    }
}
