// A model file whose texts try to become part of the page.

const script = '<script>window.hacked = true</script>';
const image = '<img src=x onerror="window.hacked = true">';

export const hostileModelFile = JSON.stringify({
  types: {
    Certificate: {
      description: `A certificate. ${script} \`${image}\``,
      attributes: {
        certificateNo: { kind: 'text', isRequired: true, description: `Its number. ${image}`, example: script },
        vessel: { kind: 'owner', to: 'Vessel', collection: 'certificates', isRequired: true, description: script },
      },
    },
    Voyage: {
      attributes: { charterRate: { kind: 'decimal', description: `</td></table>${script} &amp; 'quotes' "too"` } },
    },
  },
});
