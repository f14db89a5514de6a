// What a picture must say about itself: what is drawn how many times as large as it is.
import { digits, plainCount } from '../toolkit/format';

export const timesText = (M: number): string => `${M < 10 ? digits(M, 2) : plainCount(Math.round(M))}×`;

export function stamps(clearance: number, deformation: number): { factor: string; what: string }[] {
  return [['clearance', clearance] as const, ['deformation', deformation] as const].filter(([, M]) => M !== 1)
    .map(([what, M]) => ({ factor: timesText(M), what }));
}
