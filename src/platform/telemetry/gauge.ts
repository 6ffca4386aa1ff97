import { Counter, Gauge, type CounterConfiguration, type GaugeConfiguration } from 'prom-client';

/**
 * Registers a gauge. Lint forbids `new` without using its result, which gauges with `collect` do
 * not need.
 */
export const registerGauge = <Label extends string>(options: GaugeConfiguration<Label>): Gauge<Label> =>
  new Gauge(options);

/** Registers a counter whose value is counted elsewhere. */
export const registerCounter = <Label extends string>(options: CounterConfiguration<Label>): Counter<Label> =>
  new Counter(options);
