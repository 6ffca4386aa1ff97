import { Gauge, type GaugeConfiguration } from 'prom-client';

/** Adds a figure to its registries; what is registered needs no name here. */
export const registerGauge = <Label extends string>(options: GaugeConfiguration<Label>): Gauge<Label> =>
  new Gauge(options);
