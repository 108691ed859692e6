class Mine {
    static final int SEED = 0x9747b28c;

    static int partition(byte[] key, int partitions) {
        return (murmur2(key) & 0x7fffffff) % partitions;
    }

    static int murmur2(byte[] key) {
        final int m = 0x5bd1e995;
        int h = SEED ^ key.length;
        int whole = key.length / 4 * 4;
        for (int i = 0; i < whole; i += 4) {
            int k = 0;
            for (int j = 3; j >= 0; j--) {
                k = k << 8 | key[i + j] & 0xff;
            }
            k *= m;
            h = h * m ^ (k ^ k >>> 24) * m;
        }
        if (whole < key.length) {
            for (int i = whole; i < key.length; i++) {
                h ^= (key[i] & 0xff) << 8 * (i - whole);
            }
            h *= m;
        }
        h = (h ^ h >>> 13) * m;
        return h ^ h >>> 15;
    }
}
